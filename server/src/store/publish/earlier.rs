//! What an earlier upload of the same commit has left, and whether the new one may be current.

use super::NewRecord;
use crate::store::{MainRight, StoreError, main_branch, record::percentage};
use app::domain::Percentage;
use sqlx::{AnyConnection, FromRow};

/// An earlier upload of the same commit.
#[derive(FromRow)]
pub(super) struct Earlier {
    pub(super) report_key: Option<String>,
    percentage_basis_points: i64,
    superseded_at: Option<i64>,
    unconfirmed_at: Option<i64>,
}

impl Earlier {
    /// Whether it was ever confirmed, and so counts as one of its branch.
    pub(super) fn is_counted(&self) -> bool {
        match (self.superseded_at, self.unconfirmed_at) {
            (Some(superseded), Some(unconfirmed)) => superseded < unconfirmed,
            _ => true,
        }
    }

    fn is_current(&self) -> bool {
        self.superseded_at.is_none()
    }

    /// What it says, where it is the current record of its branch and language.
    pub(super) fn current_percentage(&self) -> Option<Percentage> {
        self.is_current()
            .then(|| percentage(self.percentage_basis_points))
    }
}

/// Asked before the current record is retired, which it may be.
pub(super) async fn earlier_upload(
    connection: &mut AnyConnection,
    branch_id: i64,
    new: &NewRecord,
) -> Result<Option<Earlier>, StoreError> {
    const EARLIER: &str = "
        select report_key, percentage_basis_points, superseded_at, unconfirmed_at from records
        where branch_id = $1 and language = $2 and commit_hash = $3";
    Ok(sqlx::query_as(EARLIER)
        .bind(branch_id)
        .bind(new.language.as_str())
        .bind(new.commit.as_str())
        .fetch_optional(&mut *connection)
        .await?)
}

/// Why the record must not be current: what was said of its right before may have been about another main branch.
pub(super) async fn withheld(
    connection: &mut AnyConnection,
    repository_id: i64,
    new: &NewRecord,
    earlier: Option<&Earlier>,
) -> Result<Option<String>, StoreError> {
    let MainRight::Withheld(reason) = &new.main_right else {
        return Ok(None);
    };
    if earlier.is_some_and(Earlier::is_current) {
        return Ok(None);
    }
    let added = i64::from(!earlier.is_some_and(Earlier::is_counted));
    let is_main = main_branch::would_be_main(connection, repository_id, &new.branch, added).await?;
    Ok(is_main.then(|| reason.clone()))
}
