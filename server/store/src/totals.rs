//! The counts of a record: its own six columns, and the counts in its details.

use super::record_details::RecordDetails;
use domain::{Count, Counted};
use sqlx::FromRow;

#[derive(FromRow)]
pub(super) struct Totals {
    lines_covered: Option<i64>,
    lines_total: Option<i64>,
    branches_covered: Option<i64>,
    branches_total: Option<i64>,
    functions_covered: Option<i64>,
    functions_total: Option<i64>,
}

impl Totals {
    pub(super) fn lines(&self) -> Option<Count> {
        Count::of_columns(self.lines_covered, self.lines_total)
    }

    pub(super) fn branches(&self) -> Option<Count> {
        Count::of_columns(self.branches_covered, self.branches_total)
    }

    pub(super) fn functions(&self) -> Option<Count> {
        Count::of_columns(self.functions_covered, self.functions_total)
    }

    /// Returns all counts of the coverage file, lines first. For a record without details, returns its own columns.
    pub(super) fn counted(&self, details: Option<&RecordDetails>) -> Vec<Counted> {
        let of_details = details.map(|details| details.counters.clone());
        if let Some(counters) = of_details.filter(|counters| !counters.is_empty()) {
            return counters;
        }
        let known = [
            ("line", self.lines()),
            ("branch", self.branches()),
            ("function", self.functions()),
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
