//! The data and the query of a repository's page.

mod history;
mod pull_request;
mod query;
mod tab;

pub use history::{HISTORY_PAGE, History, HistoryPosition, HistoryRow};
pub use pull_request::PullRequestRow;
pub use query::{Compared, RepositoryQuery};
pub use tab::RepositoryTab;

use super::{
    BranchName, Change, Files, Language, ListedRecord, NewTotals, PullRequest, Repository, RunUrl,
    Series, Timestamp, Verdict,
};

/// A repository, shown for one of its branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepositoryDetail {
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The repository.
    pub repository: Repository,
    /// Its forge, such as `github.com`, if an upload named it.
    pub forge: Option<String>,
    /// Its main branch, or the closest match.
    pub main_branch: BranchName,
    /// The branch that the page shows: the requested one, or the main branch.
    pub branch: BranchName,
    /// All languages that the branch ever had, sorted by name.
    pub languages: Vec<Language>,
    /// Its current records, one for each language; empty if the branch is no longer active.
    pub current: Vec<BranchRow>,
    /// The new code of the current records, as far as their lines have a history.
    pub new_code: Vec<NewTotals>,
    /// Branches to choose from: the main branch first, then by last upload.
    pub choices: Vec<BranchName>,
    /// The page of the job of the first current record, if no upload named the forge.
    pub run_url: Option<RunUrl>,
    /// The files of the first shown record; `None` if there is no such record. As all that follows, only if its tab is shown.
    pub files: Option<Files>,
    /// The active branches.
    pub branches: BranchPage,
    /// The trend of the chosen branch, then of each compared branch; one series for each language.
    pub trend: Trend,
    /// The chosen branch's records.
    pub history: History,
}

impl RepositoryDetail {
    /// The current records of the branch, in one language or in all languages.
    pub fn shown(&self, language: Option<&Language>) -> impl Iterator<Item = &BranchRow> {
        let current = self.current.iter();
        current.filter(move |row| language.is_none_or(|chosen| *chosen == row.record.language))
    }
}

/// One page of the current records of all branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BranchPage {
    /// The main branch first, then by last upload.
    pub rows: Vec<BranchRow>,
    /// The number of rows on all pages.
    pub matching: u32,
    /// The page, counted from 1.
    pub page: u32,
    /// The number of pages; at least 1.
    pub pages: u32,
}

/// The current record of one branch and language.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct BranchRow {
    /// The branch.
    pub branch: BranchName,
    /// The record.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub record: ListedRecord,
    /// The base record: its id, and the change against it. `None` on the main branch, whose base is the previous record.
    #[cfg_attr(feature = "sql", sqlx(flatten, try_from = "crate::sql::BaseColumns"))]
    pub against_base: Option<(i64, Change)>,
    /// The pull request of its commit, if an upload named it.
    #[cfg_attr(
        feature = "sql",
        sqlx(try_from = "crate::sql::IfReadable<PullRequest>")
    )]
    pub pull_request: Option<PullRequest>,
    /// The verdict of the gate; `None` if no rule is set.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::IfReadable<Verdict>"))]
    pub verdict: Option<Verdict>,
}

/// Several branches and languages over the same time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trend {
    /// The series, no more than a chart can show.
    pub series: Vec<Series>,
    /// The number of series that are not shown.
    pub hidden: u32,
    /// The number of records behind the series; more than their points if the series were thinned.
    pub records: u64,
}
