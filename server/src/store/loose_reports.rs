//! Stored reports that no record points to: announced before they are stored, and doomed before they are removed.
//!
//! A report stands here from before it exists until a record points to it, and again from the moment on in which its
//! record takes another. So a crash at any moment leaves its key here, and a sweep need not search the stored reports.

use super::{Store, StoreError, time::now};
use app::domain::Timestamp;
use sqlx::{AnyConnection, Row};

/// Microseconds from the moment in which a report is announced to the one in which its record is there: storing it takes a
/// minute at most. An upload that is still on its way after this is refused.
const LONGEST_PUBLICATION: i64 = 15 * 60 * 1_000_000;

/// A report that is only to be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DoomedReport {
    /// Its key.
    pub key: String,
    /// Whether it was so before.
    pub was_doomed: bool,
}

impl Store {
    /// Takes note of a report that is about to be stored.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn announce_report(&self, key: &str) -> Result<(), StoreError> {
        sqlx::query("insert into loose_reports (key, since) values ($1, $2)")
            .bind(key)
            .bind(now().0)
            .execute(&self.writer)
            .await?;
        Ok(())
    }

    /// Settles that no record will ever point to the report, so that it may be removed; false where a record does.
    ///
    /// This is what makes removing safe after a commit that failed: SQLite may still find such a transaction after a
    /// crash, but not once another one has been committed over it.
    ///
    /// # Errors
    ///
    /// When the database fails. The report has to stay then: a later start will know what became of it.
    pub async fn doom_report(&self, key: &str) -> Result<bool, StoreError> {
        const DOOM: &str =
            "update loose_reports set doomed_at = coalesce(doomed_at, $1) where key = $2";
        let doomed = sqlx::query(DOOM)
            .bind(now().0)
            .bind(key)
            .execute(&self.writer)
            .await?;
        Ok(doomed.rows_affected() > 0)
    }

    /// Dooms the reports that a crash has left here: all of them where this service has the database to itself and has just
    /// started, otherwise those that stand here for longer than any publication takes.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn doom_loose_reports(&self) -> Result<Vec<DoomedReport>, StoreError> {
        const DOOM: &str = "
            update loose_reports set doomed_at = coalesce(doomed_at, $1) where since < $2
            returning key, doomed_at";
        let now = now().0;
        let before = match self.is_shared() {
            true => now - LONGEST_PUBLICATION,
            false => i64::MAX,
        };
        let rows = sqlx::query(DOOM)
            .bind(now)
            .bind(before)
            .fetch_all(&self.writer)
            .await?;
        let doomed = rows.iter().map(|row| {
            Ok(DoomedReport {
                key: row.try_get("key")?,
                was_doomed: row.try_get::<i64, _>("doomed_at")? != now,
            })
        });
        doomed.collect()
    }

    /// Forgets a report that was removed.
    ///
    /// # Errors
    ///
    /// When the database fails; the next start will then remove it once more.
    pub async fn forget_report(&self, key: &str) -> Result<(), StoreError> {
        sqlx::query("delete from loose_reports where key = $1 and doomed_at is not null")
            .bind(key)
            .execute(&self.writer)
            .await?;
        Ok(())
    }
}

/// The report is about to be a record's. Fails where a sweep was faster.
pub(super) async fn claim(connection: &mut AnyConnection, key: &str) -> Result<(), StoreError> {
    let claimed = sqlx::query("delete from loose_reports where key = $1 and doomed_at is null")
        .bind(key)
        .execute(&mut *connection)
        .await?;
    match claimed.rows_affected() {
        0 => Err(StoreError::ReportSwept),
        _ => Ok(()),
    }
}

/// The report was a record's until now.
pub(super) async fn doom(
    connection: &mut AnyConnection,
    key: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query("insert into loose_reports (key, since, doomed_at) values ($1, $2, $2)")
        .bind(key)
        .bind(at.0)
        .execute(&mut *connection)
        .await?;
    Ok(())
}

/// The same for a report that was deleted: nobody may want it back, so it goes without a grace.
pub(super) async fn doom_at_once(
    connection: &mut AnyConnection,
    key: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    sqlx::query("insert into loose_reports (key, since, doomed_at) values ($1, $2, $2)")
        .bind(key)
        .bind(at.0)
        .execute(&mut *connection)
        .await?;
    Ok(())
}
