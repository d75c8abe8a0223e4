//! The data of the page that compares two records, and how its address names them.

mod record_ref;

pub use record_ref::{RecordRef, RecordRefError};

use super::{BranchName, ComparedRecord, Explained, Language, Moved, RecordBeside, Timestamp};

/// A query for the compare page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompareQuery {
    /// The base record; `None` until it is chosen.
    pub base: Option<RecordRef>,
    /// The head record; `None` until it is chosen.
    pub head: Option<RecordRef>,
    /// The language for a branch's current record; if `None`, the language that was uploaded last.
    pub language: Option<Language>,
}

/// Two records side by side, and other records to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compare {
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The base record; `None` if not requested or not found.
    pub base: Option<ComparedRecord>,
    /// The head record; `None` if not requested or not found.
    pub head: Option<ComparedRecord>,
    /// Why the percentage changed; `None` if the lines of one record are not known.
    pub explained: Option<Explained>,
    /// Per-file changes from base to head; `None` if the files of one record are not known, or if the two count different
    /// things.
    pub moved: Option<Moved>,
    /// Records of the same repository and language: the current records of its branches first, then earlier records of
    /// the head's branch.
    pub choices: Vec<RecordChoice>,
}

/// A record that can be chosen for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct RecordChoice {
    /// The record.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub record: RecordBeside,
    /// Its branch.
    #[cfg_attr(feature = "sql", sqlx(rename = "branch_name"))]
    pub branch: BranchName,
    /// Whether it is the current record of its branch.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub is_current: bool,
}

impl CompareQuery {
    /// Two records by their identifiers.
    pub fn between(base: i64, head: i64) -> Self {
        Self {
            base: Some(RecordRef::Id(base)),
            head: Some(RecordRef::Id(head)),
            language: None,
        }
    }
}

impl Compare {
    /// Both sides, once both are chosen.
    pub fn sides(&self) -> Option<(&ComparedRecord, &ComparedRecord)> {
        self.base.as_ref().zip(self.head.as_ref())
    }
}
