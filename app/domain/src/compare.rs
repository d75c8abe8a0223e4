//! The data of the page that compares two records, and how its address names them.

mod record_ref;

pub use record_ref::{RecordRef, RecordRefError};

use super::{
    BranchName, Change, ComparedRecord, Count, Explained, Language, Metric, Moved, Percentage,
    RecordBeside, Timestamp, ViewName, query::query,
};

query! {
    /// A query for the compare page.
    #[derive(Default)]
    pub struct CompareQuery {
        /// The base record; `None` until it is chosen.
        pub base: Option<RecordRef> = "base",
        /// The head record; `None` until it is chosen.
        pub head: Option<RecordRef> = "head",
        /// The language for a branch's current record; if `None`, the language that was uploaded last.
        pub language: Option<Language> = "language",
        /// Only the files of this view; all if `None`.
        pub view: Option<ViewName> = "view",
        /// What is counted.
        pub metric: Metric = "metric",
    }
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
    /// The view that is compared, as it is defined; `None` if none was requested, or if neither record has it. The counts of both
    /// records are of it.
    pub view: Option<ViewName>,
    /// Owners and views of the settings to choose from.
    pub views: Vec<ViewName>,
    /// What is counted of both records; `None` if it is all their lines, and unless both are found.
    pub counted: Option<CountedSides>,
    /// Why the percentage changed; `None` if the lines of one record are not known.
    pub explained: Option<Explained>,
    /// Per-file changes from base to head; `None` if the files of one record are not known, or if the two count different
    /// things.
    pub moved: Option<Moved>,
    /// Records of the same repository and language: the current records of its branches first, then earlier records of
    /// the head's branch.
    pub choices: Vec<RecordChoice>,
}

/// A count, or why it is not known, as the end of a sentence.
pub type SideCount = Result<Count, &'static str>;

/// What is counted of two records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedSides {
    /// Of the base.
    pub base: SideCount,
    /// Of the head.
    pub head: SideCount,
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
            ..Self::default()
        }
    }
}

impl Compare {
    /// Both sides, once both are chosen.
    pub fn sides(&self) -> Option<(&ComparedRecord, &ComparedRecord)> {
        self.base.as_ref().zip(self.head.as_ref())
    }

    /// The percentages of both sides; `None` unless both are known.
    pub fn percentages(&self) -> Option<(Percentage, Percentage)> {
        let (base, head) = self.sides()?;
        match self.counted {
            None => Some((base.percentage, head.percentage)),
            Some(CountedSides { base, head }) => {
                Some((Percentage::of(base.ok()?)?, Percentage::of(head.ok()?)?))
            }
        }
    }

    /// The change from base to head.
    pub fn change(&self) -> Option<Change> {
        let (base, head) = self.percentages()?;
        Some(Change::between(base, head))
    }
}
