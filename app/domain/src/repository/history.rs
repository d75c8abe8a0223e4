//! The records of one branch: newest first, a page at a time, or the first ones in another order.
//!
//! A page is identified by the record next to it, not by a page number: finding it costs the same in a history of any
//! length, and a new upload does not shift it.

use crate::{
    Change, CommitAuthor, CommitHash, Count, HistoryColumn, Language, Order, Percentage, Timestamp,
};
use std::{fmt, str::FromStr};
use thiserror::Error;

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
    pub record_id: i64,
    /// When it was last uploaded.
    pub at: Timestamp,
    /// The language.
    pub language: Language,
    /// The commit that was measured.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_hash"))]
    pub commit: CommitHash,
    /// Who made the commit.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_author"))]
    pub author: CommitAuthor,
    /// Its coverage.
    pub percentage: Percentage,
    /// Covered and total lines, if the coverage file counts them.
    #[cfg_attr(feature = "sql", sqlx(flatten, try_from = "crate::sql::LineColumns"))]
    pub lines: Option<Count>,
    /// The change since the previous record.
    pub change: Option<Change>,
    /// Whether its HTML report is stored.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub has_report: bool,
    /// Whether the record is confirmed; no trend includes an unconfirmed record.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub is_confirmed: bool,
    /// Whether it waits for no part.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub is_complete: bool,
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

/// The place of a record in a list that begins with the newest record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct RecordPosition {
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// The record.
    pub record_id: i64,
}

/// The text is not a place in a list of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be a time and a record's number")]
pub struct NotAPosition;

impl HistoryRow {
    /// Its place in the history.
    pub fn key(&self) -> RecordPosition {
        RecordPosition {
            updated_at: self.at,
            record_id: self.record_id,
        }
    }
}

impl RecordPosition {
    /// Before all records.
    pub const START: Self = Self {
        updated_at: Timestamp(i64::MAX),
        record_id: i64::MAX,
    };
}

impl fmt::Display for RecordPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.updated_at.0, self.record_id)
    }
}

impl FromStr for RecordPosition {
    type Err = NotAPosition;

    fn from_str(text: &str) -> Result<Self, NotAPosition> {
        // Addresses of earlier builds have a dot.
        let key = text.split_once(['-', '.']).and_then(|(at, record_id)| {
            Some(Self {
                updated_at: Timestamp(at.parse().ok()?),
                record_id: record_id.parse().ok()?,
            })
        });
        key.ok_or(NotAPosition)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_in_a_history_round_trips() {
        let key = RecordPosition {
            updated_at: Timestamp(1_794_232_920_000_000),
            record_id: 7,
        };
        assert_eq!(key.to_string().parse(), Ok(key));
        assert_eq!("1794232920000000.7".parse(), Ok(key));
        for bad in [
            "",
            "-",
            "1",
            "1-",
            "-1",
            "a-b",
            "99999999999999999999-1",
            "1-2-3",
        ] {
            assert!(bad.parse::<RecordPosition>().is_err(), "{bad}");
        }
    }
}
