//! The data of the page that compares two records, and how its address names them.

mod record_ref;

pub use record_ref::{RecordRef, RecordRefError};

use super::{
    BranchName, Change, CommitAuthor, CommitHash, Count, Counted, Explained, Language, Moved,
    Percentage, RecordBeside, Repository, Timestamp,
};

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

/// A record as one side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct ComparedRecord {
    /// Its identifier.
    pub id: i64,
    /// Its repository.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub repository: Repository,
    /// The forge of the repository, such as `github.com`, if an upload named it.
    pub forge: Option<String>,
    /// Its branch.
    #[cfg_attr(feature = "sql", sqlx(rename = "branch_name"))]
    pub branch: BranchName,
    /// Its language.
    pub language: Language,
    /// The commit that was measured.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_hash"))]
    pub commit: CommitHash,
    /// Who made the commit.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_author"))]
    pub author: CommitAuthor,
    /// Total line coverage.
    #[cfg_attr(feature = "sql", sqlx(rename = "percentage_basis_points"))]
    pub percentage: Percentage,
    /// All counters, lines first.
    #[cfg_attr(feature = "sql", sqlx(skip))]
    pub counts: Vec<Counted>,
    /// The format of the coverage file, as a short lower-case name.
    pub report_format: String,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// Whether its HTML report is stored.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub has_report: bool,
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

/// One counter on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedTwice {
    /// In lower case and singular: `line`, `branch`, `function`.
    pub counter: String,
    /// Its count in the base; `None` if the base does not have it.
    pub base: Option<Count>,
    /// Its count in the head; `None` if the head does not have it.
    pub head: Option<Count>,
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

impl ComparedRecord {
    /// The change from `self` to `head`.
    pub fn change_to(&self, head: &Self) -> Change {
        Change::between(self.percentage, head.percentage)
    }

    /// Counters of either record, in the order of `head`.
    pub fn counts_of_both(&self, head: &Self) -> Vec<CountedTwice> {
        let of = |counts: &[Counted], counter: &str| {
            let found = counts.iter().find(|counted| counted.counter == counter);
            found.map(|counted| counted.count)
        };
        let only_here = self
            .counts
            .iter()
            .filter(|counted| of(&head.counts, &counted.counter).is_none());
        let counters = head.counts.iter().chain(only_here);
        counters
            .map(|counted| CountedTwice {
                counter: counted.counter.clone(),
                base: of(&self.counts, &counted.counter),
                head: of(&head.counts, &counted.counter),
            })
            .collect()
    }
}
