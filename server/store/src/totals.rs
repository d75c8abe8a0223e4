//! The counts of a record: its own six columns, and the counts in its details.

use super::record_details::{FileCounts, RecordDetails};
use domain::{Count, Counted, Metric, uncounted};
use sqlx::{FromRow, Row, any::AnyRow};

#[derive(Clone)]
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

    /// The branches or functions that are not known, and why. `is_united`: the record unites several parts.
    pub(super) fn uncounted(&self, is_united: bool) -> Vec<(Metric, &'static str)> {
        let metrics = [Metric::Branches, Metric::Functions].into_iter();
        let unknown = metrics.filter(|metric| self.of(*metric).is_none());
        unknown
            .map(|metric| (metric, uncounted(metric, is_united)))
            .collect()
    }

    /// The count of some files. `None` if the coverage file does not state it, or only for all files together. `all` is the sum over
    /// all files.
    pub(super) fn of_files(
        &self,
        metric: Metric,
        own: FileCounts,
        all: FileCounts,
    ) -> Option<Count> {
        if metric == Metric::Lines {
            return Some(own.lines);
        }
        let stated = self.of(metric)?;
        let is_by_file = stated.total == 0 || all.of(metric).total > 0;
        is_by_file.then(|| own.of(metric))
    }

    /// The known counts of some files, lines first. `counter` is the name of their lines.
    pub(super) fn counted_of_files(
        &self,
        counter: &str,
        own: FileCounts,
        all: FileCounts,
    ) -> Vec<Counted> {
        let metrics = [
            (Metric::Lines, counter),
            (Metric::Branches, "branch"),
            (Metric::Functions, "function"),
        ];
        let known = metrics.into_iter().filter_map(|(metric, counter)| {
            let count = self.of_files(metric, own, all)?;
            (count.total > 0).then(|| Counted {
                counter: counter.to_owned(),
                count,
            })
        });
        known.collect()
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
