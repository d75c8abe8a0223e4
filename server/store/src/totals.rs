//! The counts of a record: its own six columns, and the counts in its details.

use super::record_details::RecordDetails;
use domain::{Count, Counted, Metric};
use sqlx::{FromRow, Row, any::AnyRow};

pub(super) struct Totals {
    pub(super) lines: Option<Count>,
    pub(super) branches: Option<Count>,
    pub(super) functions: Option<Count>,
}

impl FromRow<'_, AnyRow> for Totals {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        let count = |covered: &str, total: &str| -> sqlx::Result<Option<Count>> {
            let columns = (row.try_get(covered)?, row.try_get(total)?);
            Ok(Count::of_columns(columns.0, columns.1))
        };
        Ok(Self {
            lines: count("lines_covered", "lines_total")?,
            branches: count("branches_covered", "branches_total")?,
            functions: count("functions_covered", "functions_total")?,
        })
    }
}

impl Totals {
    /// The count of a metric; `None` if the coverage file does not state it. New lines are not in a coverage file.
    pub(super) fn of(&self, metric: Metric) -> Option<Count> {
        match metric {
            Metric::Lines => self.lines,
            Metric::Branches => self.branches,
            Metric::Functions => self.functions,
            Metric::New => None,
        }
    }

    /// Returns all counts of the coverage file, lines first. For a record without details, returns its own columns.
    pub(super) fn counted(&self, details: Option<&RecordDetails>) -> Vec<Counted> {
        let of_details = details.map(|details| details.counters.clone());
        if let Some(counters) = of_details.filter(|counters| !counters.is_empty()) {
            return counters;
        }
        let known = [
            ("line", self.lines),
            ("branch", self.branches),
            ("function", self.functions),
        ];
        known
            .into_iter()
            .filter_map(|(counter, count)| {
                Some(Counted {
                    counter: counter.to_owned(),
                    count: count?,
                })
            })
            .collect()
    }
}
