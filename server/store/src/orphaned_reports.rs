//! Orphaned HTML reports: reserved before they are stored, and marked for deletion before they are removed.
//!
//! A report has a row here from before it is stored until a record points to it, and again after its record has replaced it. So
//! after a crash its key is still here, and a sweep need not search the storage. A report that a record has released stays for a
//! grace period: an older copy of the database may point to it.

use super::{Operator, StoreError, Writer, run::Run, time::now};
use domain::Timestamp;
use sqlx::{AnyConnection, FromRow};
use std::time::Duration;

/// The maximum time from reserving an HTML report to storing its record. Storing a report takes a minute at most. A slower upload
/// is refused.
pub const LONGEST_PUBLICATION: Duration = Duration::from_secs(15 * 60);

/// An HTML report marked for removal.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct MarkedReport {
    /// The key of the report.
    pub key: String,
    /// The time when it was marked.
    pub marked_at: Timestamp,
}

impl Writer<'_> {
    /// Reserves an HTML report that is about to be stored.
    pub async fn reserve_report(self, key: &str) -> Result<(), StoreError> {
        const RESERVE: &str = "insert into orphaned_reports (key, since) values ($1, $2)";
        self.store
            .write(|pool| pool.run(RESERVE, (key, now())))
            .await
    }

    /// Marks a report for removal, so that no record can ever point to it. Returns false if a record already does.
    ///
    /// This makes removal safe after a failed commit: after a crash, SQLite may still apply such a transaction, but not after
    /// another transaction has been committed.
    ///
    /// # Errors
    ///
    /// If the database fails. The report must stay then; a later sweep decides.
    pub async fn mark_deleted(self, key: &str) -> Result<bool, StoreError> {
        const MARK: &str =
            "update orphaned_reports set marked_at = coalesce(marked_at, $1) where key = $2";
        let marked = self
            .store
            .write(|pool| pool.changed(MARK, (now(), key)))
            .await?;
        Ok(marked > 0)
    }

    /// Marks for deletion the HTML reports whose uploads ended without a record: reports that were reserved longer ago than
    /// [`LONGEST_PUBLICATION`], or all if this service is the only one on the database and has just started.
    pub async fn mark_unfinished_reports(self, is_start: bool) -> Result<(), StoreError> {
        const MARK: &str =
            "update orphaned_reports set marked_at = $1 where marked_at is null and since < $2";
        let now = now();
        let before = if is_start && !self.store.is_shared() {
            i64::MAX
        } else {
            before(now, LONGEST_PUBLICATION)
        };
        self.store.write(|pool| pool.run(MARK, (now, before))).await
    }

    /// Returns marked reports that are due for removal, in the order of their keys, after the key `after`. A report that no
    /// record ever pointed to is due immediately; a released report is due after the grace period.
    pub async fn due_reports(
        self,
        grace: Duration,
        after: &str,
        most: u32,
    ) -> Result<Vec<MarkedReport>, StoreError> {
        const DUE: &str = "
            select l.key, l.marked_at from orphaned_reports l
            where l.marked_at is not null and (l.released_at is null or l.released_at <= $1) and l.key > $2
              and not exists (select 1 from records r where r.report_key = l.key)
              and not exists (select 1 from record_parts q where q.report_key = l.key)
            order by l.key limit $3";
        let released_before = if grace.is_zero() {
            // This includes times in the future, from another service whose clock is ahead.
            i64::MAX
        } else {
            before(now(), grace)
        };
        self.store
            .all(DUE, (released_before, after, i64::from(most)))
            .await
    }

    /// Returns the reports that records have released, in the order of their release, due or not.
    pub async fn released_reports(self, most: u32) -> Result<Vec<String>, StoreError> {
        const RELEASED: &str = "
            select l.key from orphaned_reports l
            where l.released_at is not null and l.marked_at is not null
              and not exists (select 1 from records r where r.report_key = l.key)
              and not exists (select 1 from record_parts q where q.report_key = l.key)
            order by l.released_at, l.key limit $1";
        self.store.values(RELEASED, [i64::from(most)]).await
    }

    /// Deletes the row of a removed report.
    ///
    /// # Errors
    ///
    /// If the database fails. The next sweep then removes the report again.
    pub async fn forget_report(self, key: &str) -> Result<(), StoreError> {
        const FORGET: &str =
            "delete from orphaned_reports where key = $1 and marked_at is not null";
        self.store.write(|pool| pool.run(FORGET, [key])).await
    }
}

impl Operator<'_> {
    /// Returns the number of released reports that still exist.
    pub async fn count_released_reports(self) -> Result<i64, StoreError> {
        const COUNT: &str = "select count(*) from orphaned_reports where released_at is not null";
        self.store.value(COUNT, ()).await
    }
}

pub(super) fn before(moment: Timestamp, span: Duration) -> i64 {
    let span = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
    moment.0.saturating_sub(span)
}

/// Clears the reservation of a report when its record is stored. Fails if a sweep has already marked the report.
pub(super) async fn claim(connection: &mut AnyConnection, key: &str) -> Result<(), StoreError> {
    const CLAIM: &str = "delete from orphaned_reports where key = $1 and marked_at is null";
    if connection.changed(CLAIM, [key]).await? == 0 {
        return Err(StoreError::ReportSwept);
    }
    Ok(())
}

/// Marks a report that its record no longer uses: it is removed after the grace period. The record still exists. Without `bytes`,
/// it is the only report of the record.
pub(super) async fn release(
    connection: &mut AnyConnection,
    record_id: i64,
    key: &str,
    bytes: Option<i64>,
    at: Timestamp,
) -> Result<(), StoreError> {
    const RELEASE: &str = "
        insert into orphaned_reports (key, since, marked_at, released_at, record_id, repository_id, bytes)
        select $1, $2, $2, $2, r.id, r.repository_id, coalesce($4, r.report_bytes) from records r where r.id = $3
        on conflict (key) do update set
            marked_at = excluded.marked_at, released_at = excluded.released_at, record_id = excluded.record_id,
            repository_id = excluded.repository_id, bytes = excluded.bytes";
    connection.run(RELEASE, (key, at.0, record_id, bytes)).await
}

/// Ends the grace period of a released report: the next sweep removes it.
pub(super) async fn end_grace(connection: &mut AnyConnection, key: &str) -> Result<(), StoreError> {
    const END: &str = "update orphaned_reports set released_at = null where key = $1";
    connection.run(END, [key]).await
}

/// Marks a deleted report without a grace period: a deletion is final.
pub(super) async fn mark_deleted_at_once(
    connection: &mut AnyConnection,
    key: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    const MARK: &str = "
        insert into orphaned_reports (key, since, marked_at) values ($1, $2, $2)
        on conflict (key) do update set marked_at = excluded.marked_at, released_at = null";
    connection.run(MARK, (key, at.0)).await
}
