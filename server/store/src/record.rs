//! A coverage record as the database stores and lists it.

use domain::{BranchName, CommitAuthor, CommitHash, Language, Percentage, Repository, Timestamp};
use sqlx::FromRow;

/// The result of one upload: the ten fields of the API.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Record {
    /// The id, never reused.
    pub id: i64,
    /// The repository.
    #[sqlx(flatten)]
    pub repository: Repository,
    /// The branch.
    #[sqlx(rename = "branch_name")]
    pub branch: BranchName,
    /// The measured commit.
    #[sqlx(rename = "commit_hash")]
    pub commit: CommitHash,
    /// The author of the commit.
    #[sqlx(rename = "commit_author")]
    pub author: CommitAuthor,
    /// The language.
    pub language: Language,
    /// Total line coverage.
    #[sqlx(rename = "percentage_basis_points")]
    pub percentage: Percentage,
    /// The time of the first upload.
    pub created_at: Timestamp,
    /// The time of the last upload.
    pub updated_at: Timestamp,
}

/// The columns of a [`Record`]: of the record `r` on the branch `b` of the repository `p`.
macro_rules! record_columns {
    () => {
        "select r.id, p.org_name, p.repo_name, b.name as branch_name, r.commit_hash, r.commit_author, r.language,
                r.percentage_basis_points, r.created_at, r.updated_at "
    };
}

pub(super) use record_columns;
