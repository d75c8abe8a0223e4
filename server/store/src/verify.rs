//! The queries of `coverage-dashboard verify`, and repairs with data from the rest of the database.

mod changes;
mod details;
mod integrity;
mod lines;
mod repair;
mod reports;
mod sources;
mod summaries;

pub use reports::{KEY_END, PointedReport};
pub use sources::SourceCheck;
#[cfg(test)]
pub(crate) use summaries::{DAYS, ORGS, SERIES, SUMS, TREND};
pub use summaries::{WrongOrg, WrongSummary};

/// A page of rows that were decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckedPage {
    /// The id of the last record; the next page continues after it.
    pub last: i64,
    /// The number of rows.
    pub rows: usize,
    /// The records with unreadable rows, and the reasons.
    pub unreadable: Vec<(i64, String)>,
}
