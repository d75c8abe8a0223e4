//! A record as a row of a list, and its position in the list.

use crate::{Change, CommitAuthor, CommitHash, Count, Language, Percentage, Timestamp};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A record as a row of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct ListedRecord {
    /// Its identifier.
    pub record_id: i64,
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
    /// The change since the previous confirmed record of the same branch and language.
    pub change: Option<Change>,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// Whether its HTML report is stored.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub has_report: bool,
}

impl ListedRecord {
    /// Its position in a list that begins with the newest record.
    pub fn position(&self) -> RecordPosition {
        RecordPosition {
            updated_at: self.updated_at,
            record_id: self.record_id,
        }
    }
}

/// The position of a record in a list that begins with the newest record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct RecordPosition {
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// The record.
    pub record_id: i64,
}

/// The text is not a position in a list of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be a time in microseconds and the id of a record, such as 1794232920000000-7")]
pub struct NotAPosition;

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
    fn a_position_in_a_list_of_records_is_parsed_from_its_text() {
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
