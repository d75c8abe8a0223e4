//! A coverage record as it is stored and listed.

use super::StoreError;
use domain::{
    BranchName, CommitAuthor, CommitHash, Count, Language, Percentage, Repository, Timestamp,
};
use sqlx::FromRow;

/// The result of one upload: the ten fields that the API shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its id, never reused.
    pub id: i64,
    /// The repository.
    pub repository: Repository,
    /// The branch.
    pub branch: BranchName,
    /// The commit that was measured.
    pub commit: CommitHash,
    /// Who made the commit.
    pub author: CommitAuthor,
    /// The language.
    pub language: Language,
    /// Total line coverage.
    pub percentage: Percentage,
    /// When it was first uploaded.
    pub created_at: Timestamp,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
}

#[derive(FromRow)]
pub(super) struct RecordRow {
    id: i64,
    org_name: String,
    repo_name: String,
    branch_name: String,
    commit_hash: String,
    commit_author: String,
    language: String,
    percentage_basis_points: i64,
    created_at: i64,
    updated_at: i64,
}

impl TryFrom<RecordRow> for Record {
    type Error = StoreError;

    fn try_from(row: RecordRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id,
            repository: Repository {
                org: row.org_name.try_into()?,
                repo: row.repo_name.try_into()?,
            },
            branch: row.branch_name.try_into()?,
            commit: row.commit_hash.try_into()?,
            author: row.commit_author.try_into()?,
            language: row.language.try_into()?,
            percentage: percentage(row.percentage_basis_points),
            created_at: Timestamp(row.created_at),
            updated_at: Timestamp(row.updated_at),
        })
    }
}

/// A percentage from its column; the table's check keeps it in range.
pub(super) fn percentage(basis_points: i64) -> Percentage {
    Percentage::from_basis_points(u16::try_from(basis_points).unwrap_or(Percentage::FULL))
}

/// A count from its two nullable columns.
pub(super) fn count(covered: Option<i64>, total: Option<i64>) -> Option<Count> {
    Some(Count {
        covered: u64::try_from(covered?).ok()?,
        total: u64::try_from(total?).ok()?,
    })
}
