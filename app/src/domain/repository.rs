//! What a repository's page shows.

use super::{
    BranchName, Change, CommitAuthor, CommitHash, Count, Language, Percentage, Repository, Series,
    Timestamp,
};
use serde::{Deserialize, Serialize};

/// A repository with the current records of its branches and the trend of the one that was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryDetail {
    /// When it was put together; ages are relative to it.
    pub now: Timestamp,
    /// The repository.
    pub repository: Repository,
    /// Its main branch, or what comes closest to one.
    pub main_branch: BranchName,
    /// The branch that the page speaks of: the one asked for, else the main one.
    pub branch: BranchName,
    /// The current record of every branch and language; the main branch first, then by last upload.
    pub branches: Vec<BranchRow>,
    /// How many current records there are; more than `branches` when the table was cut.
    pub branch_count: u32,
    /// The full history of the chosen branch and of the main one, a series for each language.
    pub trend: Vec<Series>,
}

/// The current record of one branch and language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// The change against the main branch's record of the same language.
    pub against_main: Option<Change>,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// The record.
    pub record_id: i64,
    /// Whether HTML was uploaded with it.
    pub has_report: bool,
}

impl RepositoryDetail {
    /// The current records of the chosen branch, one for each language.
    pub fn chosen(&self) -> impl Iterator<Item = &BranchRow> {
        self.branches.iter().filter(|row| row.branch == self.branch)
    }
}
