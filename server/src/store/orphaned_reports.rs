//! Stored reports that no record points to: reserved before they are stored, and marked for deletion before they are removed.
//!
//! A report stands here from before it exists until a record points to it, and again from the moment on in which its
//! record takes another. So a crash at any moment leaves its key here, and a sweep need not search the stored reports.
//! One that a record has released stays for a grace: an older copy of the database may point to it.

use super::{Store, StoreError, time::now};
use domain::Timestamp;
use sqlx::{AnyConnection, FromRow};
use std::time::Duration;

/// From the moment in which a report is reserved to the one in which its record is there: storing it takes a minute at
/// most. An upload that is still on its way after this is refused.
pub const LONGEST_PUBLICATION: Duration = Duration::from_secs(15 * 60);

/// A report that is only to be removed.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct MarkedReport {
    /// Its key.
    pub key: String,
    /// Since when it is so.
    #[sqlx(try_from = "i64")]
    pub marked_at: Timestamp,
}

impl Store {
    /// Takes note of a report that is about to be stored.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn reserve_report(&self, key: &str) -> Result<(), StoreError> {
        sqlx::query("insert into orphaned_reports (key, since) values ($1, $2)")
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
    /// When the database fails. The report has to stay then: a later sweep will know what became of it.
    pub async fn mark_deleted(&self, key: &str) -> Result<bool, StoreError> {
        const MARK: &str =
            "update orphaned_reports set marked_at = coalesce(marked_at, $1) where key = $2";
        let marked = sqlx::query(MARK)
            .bind(now().0)
            .bind(key)
            .execute(&self.writer)
            .await?;
        Ok(marked.rows_affected() > 0)
    }

    /// Marks for deletion the reports whose uploads have ended without a record: those that were reserved longer ago than any
    /// publication takes; all of them where this service has the database to itself and has just started.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn mark_unfinished_reports(&self, is_start: bool) -> Result<(), StoreError> {
        const MARK: &str =
            "update orphaned_reports set marked_at = $1 where marked_at is null and since < $2";
        let now = now();
        let before = match is_start && !self.is_shared() {
            true => i64::MAX,
            false => before(now, LONGEST_PUBLICATION),
        };
        sqlx::query(MARK)
            .bind(now.0)
            .bind(before)
            .execute(&self.writer)
            .await?;
        Ok(())
    }

    /// Marked reports that are due to be removed, in the order of their keys, those after `after`: a report that no record
    /// ever pointed to at once, one that a record has released once the grace is over.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn due_reports(
        &self,
        grace: Duration,
        after: &str,
        most: u32,
    ) -> Result<Vec<MarkedReport>, StoreError> {
        const DUE: &str = "
            select l.key, l.marked_at from orphaned_reports l
            where l.marked_at is not null and (l.released_at is null or l.released_at <= $1) and l.key > $2
              and not exists (select 1 from records r where r.report_key = l.key)
            order by l.key limit $3";
        let released_before = match grace.is_zero() {
            // Also one that another service's clock, which is ahead of this one's, has put into the future.
            true => i64::MAX,
            false => before(now(), grace),
        };
        Ok(sqlx::query_as(DUE)
            .bind(released_before)
            .bind(after)
            .bind(i64::from(most))
            .fetch_all(&self.readers)
            .await?)
    }

    /// Reports that records have released, those first that were released first, whether or not they are due.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn released_reports(&self, most: u32) -> Result<Vec<String>, StoreError> {
        const RELEASED: &str = "
            select l.key from orphaned_reports l
            where l.released_at is not null and l.marked_at is not null
              and not exists (select 1 from records r where r.report_key = l.key)
            order by l.released_at, l.key limit $1";
        Ok(sqlx::query_scalar(RELEASED)
            .bind(i64::from(most))
            .fetch_all(&self.readers)
            .await?)
    }

    /// How many reports that records have released are still there.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn count_released_reports(&self) -> Result<i64, StoreError> {
        const COUNT: &str = "select count(*) from orphaned_reports where released_at is not null";
        Ok(sqlx::query_scalar(COUNT).fetch_one(&self.readers).await?)
    }

    /// Forgets a report that was removed.
    ///
    /// # Errors
    ///
    /// When the database fails; the next sweep will then remove it once more.
    pub async fn forget_report(&self, key: &str) -> Result<(), StoreError> {
        sqlx::query("delete from orphaned_reports where key = $1 and marked_at is not null")
            .bind(key)
            .execute(&self.writer)
            .await?;
        Ok(())
    }
}

/// The moment so long before another one.
pub(super) fn before(moment: Timestamp, span: Duration) -> i64 {
    let span = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
    moment.0.saturating_sub(span)
}

/// The report is about to be a record's. Fails where a sweep was faster.
pub(super) async fn claim(connection: &mut AnyConnection, key: &str) -> Result<(), StoreError> {
    let claimed = sqlx::query("delete from orphaned_reports where key = $1 and marked_at is null")
        .bind(key)
        .execute(&mut *connection)
        .await?;
    match claimed.rows_affected() {
        0 => Err(StoreError::ReportSwept),
        _ => Ok(()),
    }
}

/// The report was the record's until now: it will be removed once the grace is over. The record is still there.
pub(super) async fn release(
    connection: &mut AnyConnection,
    record_id: i64,
    key: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    const RELEASE: &str = "
        insert into orphaned_reports (key, since, marked_at, released_at, record_id, repository_id, bytes)
        select $1, $2, $2, $2, r.id, r.repository_id, r.report_bytes from records r where r.id = $3
        on conflict (key) do update set
            marked_at = excluded.marked_at, released_at = excluded.released_at, record_id = excluded.record_id,
            repository_id = excluded.repository_id, bytes = excluded.bytes";
    sqlx::query(RELEASE)
        .bind(key)
        .bind(at.0)
        .bind(record_id)
        .execute(&mut *connection)
        .await?;
    Ok(())
}

/// The grace of a released report is over: the next sweep removes it.
pub(super) async fn end_grace(connection: &mut AnyConnection, key: &str) -> Result<(), StoreError> {
    sqlx::query("update orphaned_reports set released_at = null where key = $1")
        .bind(key)
        .execute(&mut *connection)
        .await?;
    Ok(())
}

/// The same for a report that was deleted: nobody may want it back, so it goes without a grace.
pub(super) async fn mark_deleted_at_once(
    connection: &mut AnyConnection,
    key: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    const MARK: &str = "
        insert into orphaned_reports (key, since, marked_at) values ($1, $2, $2)
        on conflict (key) do update set marked_at = excluded.marked_at, released_at = null";
    sqlx::query(MARK)
        .bind(key)
        .bind(at.0)
        .execute(&mut *connection)
        .await?;
    Ok(())
}
