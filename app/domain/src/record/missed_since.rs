//! Since when missed lines have not run.

use crate::{CommitHash, LineRange, Timestamp};

/// A record of a main branch in the history of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainRecord {
    /// The id.
    pub id: i64,
    /// The commit.
    pub commit: CommitHash,
    /// When the commit was first uploaded.
    pub created_at: Timestamp,
}

/// Consecutive missed lines with the same history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissedSince {
    /// The lines.
    pub lines: LineRange,
    /// When they came or last ran; `None` if unknown, such as if the record that ran them last is deleted.
    pub since: Option<NotRunSince>,
}

/// Since when lines have not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotRunSince {
    /// The record ran them last. The next record of the main branch did not, if it still exists.
    LastRun(ChainRecord, Option<ChainRecord>),
    /// They came with the record, and no record ran them.
    Came(ChainRecord),
    /// Their history begins with the record, and no record ran them. They may be older.
    HistoryBegins(ChainRecord),
}

impl NotRunSince {
    /// The record that ran the lines last, or that has them first.
    pub fn record(&self) -> &ChainRecord {
        match self {
            Self::LastRun(record, _) | Self::Came(record) | Self::HistoryBegins(record) => record,
        }
    }

    /// A phrase such as `came on 12 Mar 2026 (4f2a1b2c), never run`.
    pub fn phrase(&self) -> String {
        let day = |record: &ChainRecord| record.created_at.day();
        match self {
            Self::LastRun(last, None) => format!("last run on {}", day(last)),
            Self::LastRun(last, Some(next)) => {
                format!("last run on {}, lost by {}", day(last), next.commit.short())
            }
            Self::Came(at) => format!("came on {} ({}), never run", day(at), at.commit.short()),
            Self::HistoryBegins(at) => format!("not run since {} or earlier", day(at)),
        }
    }
}
