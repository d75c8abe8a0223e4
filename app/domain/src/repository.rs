//! What a repository's page shows, and what it may be asked for.

mod history;
mod query;

pub use history::{History, HistoryKey, HistoryPlace, HistoryRow};
pub use query::{Compared, RepositoryQuery};

use super::{
    BranchName, Change, CommitAuthor, CommitHash, Count, Language, Percentage, Repository, Series,
    Timestamp,
};

/// A repository as the page of one of its branches shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryDetail {
    /// When it was put together; ages are relative to it.
    pub now: Timestamp,
    /// The repository.
    pub repository: Repository,
    /// Its main branch, or what comes closest to one.
    pub main_branch: BranchName,
    /// The branch that the page speaks of: the one asked for, else the main one.
    pub branch: BranchName,
    /// What that branch ever had, in the order of their names.
    pub languages: Vec<Language>,
    /// Its current records, one for each language; none where it is not active any more.
    pub current: Vec<BranchRow>,
    /// Branches to choose from: the main one first, then those that were uploaded to last.
    pub choices: Vec<BranchName>,
    /// The branches that are active.
    pub branches: BranchPage,
    /// The chosen branch's trend, then that of each branch beside it, a series for each language.
    pub trend: Trend,
    /// The chosen branch's records.
    pub history: History,
}

/// One page of the current records of all branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BranchPage {
    /// The main branch first, then by last upload.
    pub rows: Vec<BranchRow>,
    /// How many there are on all pages.
    pub matching: u32,
    /// The page, counted from 1.
    pub page: u32,
    /// How many pages there are; at least 1.
    pub pages: u32,
}

/// The current record of one branch and language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchRow {
    /// The branch.
    pub branch: BranchName,
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
    /// The change since the record before it on its branch.
    pub change: Option<Change>,
    /// The change against the main branch's current record of the same language; none on the main branch itself.
    pub against_main: Option<Change>,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// The record.
    pub record_id: i64,
    /// Whether its HTML is there.
    pub has_report: bool,
}

/// Several branches and languages over the same time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trend {
    /// As many as a chart can tell apart.
    pub series: Vec<Series>,
    /// How many more there are.
    pub hidden: u32,
    /// How many records the series stand for; more than they have points where those were thinned.
    pub records: u64,
}
