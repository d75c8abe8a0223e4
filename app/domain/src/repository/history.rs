//! The records of one branch, newest first, a page at a time.
//!
//! A page is told by the record that it begins or ends beside, not by its number: to find it costs the same however long
//! the history is, and an upload in between moves nothing.

use crate::{Change, CommitAuthor, CommitHash, Count, Language, Percentage, Timestamp};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// One page of a branch's records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Newest first.
    pub rows: Vec<HistoryRow>,
    /// Where newer ones are.
    pub newer: Option<HistoryPlace>,
    /// Where older ones are.
    pub older: Option<HistoryPlace>,
    /// How many the branch ever had.
    pub records: u64,
}

/// One record of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryRow {
    /// The record.
    pub record_id: i64,
    /// When it was last uploaded.
    pub at: Timestamp,
    /// The language.
    pub language: Language,
    /// The commit that was measured.
    pub commit: CommitHash,
    /// Who made the commit.
    pub author: CommitAuthor,
    /// Its coverage.
    pub percentage: Percentage,
    /// Covered and total lines, where the report counts them.
    pub lines: Option<Count>,
    /// The change since the record before it.
    pub change: Option<Change>,
    /// Whether its HTML is there.
    pub has_report: bool,
    /// Whether the branch was confirmed to contain the commit; else the record is part of no trend.
    pub is_confirmed: bool,
}

/// Which page of a history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryPlace {
    /// The first one.
    #[default]
    Newest,
    /// What comes before a record in time.
    OlderThan(HistoryKey),
    /// What comes after it.
    NewerThan(HistoryKey),
}

/// Where a record stands in a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HistoryKey {
    /// When it was last uploaded.
    pub at: Timestamp,
    /// The record.
    pub record_id: i64,
}

/// Why a text names no place in a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be a time and a record's number")]
pub struct NotAKey;

impl HistoryRow {
    /// Where it stands.
    pub fn key(&self) -> HistoryKey {
        HistoryKey {
            at: self.at,
            record_id: self.record_id,
        }
    }
}

impl fmt::Display for HistoryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.at.0, self.record_id)
    }
}

impl FromStr for HistoryKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<Self, NotAKey> {
        let key = text.split_once('-').and_then(|(at, record_id)| {
            Some(Self {
                at: Timestamp(at.parse().ok()?),
                record_id: record_id.parse().ok()?,
            })
        });
        key.ok_or(NotAKey)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_in_a_history_round_trips() {
        let key = HistoryKey {
            at: Timestamp(1_794_232_920_000_000),
            record_id: 7,
        };
        assert_eq!(key.to_string().parse(), Ok(key));
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
            assert!(bad.parse::<HistoryKey>().is_err(), "{bad}");
        }
    }
}
