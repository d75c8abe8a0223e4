//! Finds an earlier upload of the same commit, and decides whether the new upload may be current.

use super::Series;
use crate::{MainRight, Record, RecordKey, StoreError, main_branch, run::Run};
use domain::{BranchName, CommitAuthor, CommitHash, Percentage, Repository, Timestamp};
use sqlx::{AnyConnection, FromRow};

#[derive(FromRow)]
pub(crate) struct Earlier {
    pub(crate) id: i64,
    #[sqlx(rename = "commit_author")]
    pub(crate) author: CommitAuthor,
    #[sqlx(rename = "percentage_basis_points")]
    pub(crate) percentage: Percentage,
    report_key: Option<String>,
    pub(crate) created_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    superseded_at: Option<Timestamp>,
    unconfirmed_at: Option<Timestamp>,
}

impl Earlier {
    /// Whether the record is confirmed: counted by its branch and shown in its trend.
    pub(crate) fn is_confirmed(&self) -> bool {
        self.unconfirmed_at.is_none()
    }

    pub(crate) fn is_current(&self) -> bool {
        self.superseded_at.is_none()
    }

    /// The time until which the record was current, if it is confirmed and superseded.
    pub(super) fn confirmed_until(&self) -> Option<Timestamp> {
        self.superseded_at.filter(|_| self.is_confirmed())
    }

    pub(crate) fn current_percentage(&self) -> Option<Percentage> {
        self.is_current().then_some(self.percentage)
    }

    /// The record with these names. `repository` is in the stored spelling.
    pub(crate) fn record(&self, key: RecordKey<'_>, repository: Repository) -> Record {
        Record {
            id: self.id,
            repository,
            branch: key.branch.clone(),
            commit: key.commit.clone(),
            author: self.author.clone(),
            language: key.language.clone(),
            percentage: self.percentage,
            created_at: self.created_at,
            updated_at: self.updated_at,
        }
    }

    pub(crate) fn report(&self) -> Option<(i64, &str)> {
        Some((self.id, self.report_key.as_deref()?))
    }
}

/// Finds an earlier upload. Call it before the current record is retired, because both may be the same record.
pub(crate) async fn earlier_upload(
    connection: &mut AnyConnection,
    series: Series<'_>,
    commit: &CommitHash,
) -> Result<Option<Earlier>, StoreError> {
    const EARLIER: &str = "
        select id, commit_author, percentage_basis_points, report_key, created_at, updated_at, superseded_at,
               unconfirmed_at
        from records where branch_id = $1 and language = $2 and commit_hash = $3";
    connection.first(EARLIER, (series, commit)).await
}

/// Returns the reason if the upload must not change what the main branch shows. The branch may have become the main branch after
/// the upload was accepted.
pub(crate) async fn denial(
    connection: &mut AnyConnection,
    repository_id: i64,
    (branch, right): (&BranchName, &MainRight),
    earlier: Option<&Earlier>,
) -> Result<Option<String>, StoreError> {
    let MainRight::Denied(reason) = right else {
        return Ok(None);
    };
    let added = i64::from(!earlier.is_some_and(Earlier::is_confirmed));
    let is_main = main_branch::would_be_main(connection, repository_id, branch, added).await?;
    Ok(is_main.then(|| reason.clone()))
}
