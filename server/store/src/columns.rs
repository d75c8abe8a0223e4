//! Counts as the values of two columns; both are null if there is no count.

use domain::Count;

pub(crate) fn covered(count: Option<Count>) -> Option<i64> {
    count.map(|count| i64::try_from(count.covered).unwrap_or(i64::MAX))
}

pub(crate) fn total(count: Option<Count>) -> Option<i64> {
    count.map(|count| i64::try_from(count.total).unwrap_or(i64::MAX))
}
