//! The records of one branch: newest first, a page at a time, or the first ones in another order.
//!
//! A page is identified by the record next to it, not by a page number: finding it costs the same in a history of any
//! length, and a new upload does not shift it.

use crate::{HistoryColumn, ListedRecord, Order, PullRequest, RecordPosition, Verdict};

/// Records on a page of a history. A branch with no more records is shown as a whole, and the browser sorts it.
pub const HISTORY_PAGE: u64 = 50;

/// One page of a branch's records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// In the requested order.
    pub rows: Vec<HistoryRow>,
    /// The page of newer records.
    pub newer: Option<HistoryPosition>,
    /// The page of older records.
    pub older: Option<HistoryPosition>,
    /// The number of all records of the branch.
    pub records: u64,
}

/// One record of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct HistoryRow {
    /// The record.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub record: ListedRecord,
    /// Whether the record is confirmed; no trend includes an unconfirmed record.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub is_confirmed: bool,
    /// Whether it waits for no part.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub is_complete: bool,
    /// The pull request that it belongs to, if an upload named it.
    #[cfg_attr(
        feature = "sql",
        sqlx(try_from = "crate::sql::IfReadable<PullRequest>")
    )]
    pub pull_request: Option<PullRequest>,
    /// The verdict of the gate; `None` if no rule is set.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::IfReadable<Verdict>"))]
    pub verdict: Option<Verdict>,
}

/// A page of a history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryPosition {
    /// The first page.
    #[default]
    Newest,
    /// The records before this one.
    OlderThan(RecordPosition),
    /// The records after this one.
    NewerThan(RecordPosition),
    /// The first records in another order.
    Sorted(Order<HistoryColumn>),
}
