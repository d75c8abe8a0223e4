//! Finds an earlier upload of the same commit.

use super::Series;
use crate::{
    Flag, Record, RecordKey, StoreError, main_days::Changed, provisional::is_provisional, run::Run,
};
use domain::{CommitAuthor, CommitHash, Percentage, Repository, Timestamp};
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
    /// Whether a merge queue tests its commit.
    #[sqlx(try_from = "Flag")]
    pub(crate) is_provisional: bool,
}

impl<'a> Series<'a> {
    /// What changes if a record gets other numbers, and moves to a time from where it was before.
    pub(crate) fn changed(self, before: Option<&Earlier>, at: Timestamp) -> Changed<'a> {
        let before = before.map_or(at, |earlier| earlier.updated_at);
        Changed {
            language: self.language,
            since: before.min(at),
        }
    }
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
    const EARLIER: &str = concat!(
        "select r.id, r.commit_author, r.percentage_basis_points, r.report_key, r.created_at, r.updated_at, r.superseded_at,
                r.unconfirmed_at, case when ",
        is_provisional!("r.id"),
        " then 1 else 0 end as is_provisional
         from records r where r.branch_id = $1 and r.language = $2 and r.commit_hash = $3"
    );
    connection.first(EARLIER, (series, commit)).await
}
