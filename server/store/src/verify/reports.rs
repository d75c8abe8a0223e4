//! The stored HTML reports that records point to, in the order of their keys.

use crate::{Operator, StoreError, run::Run};
use sqlx::FromRow;

/// A key after every other key.
pub const KEY_END: &str = "\u{10ffff}";

/// A record and the key of its HTML report.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct PointedReport {
    /// The id of the record.
    pub record_id: i64,
    /// The storage key of the report.
    pub key: String,
}

impl Operator<'_> {
    /// Returns records whose report keys are at least `from`, after `after` and before `to`, in the order of the keys.
    pub async fn pointed_reports(
        self,
        from: &str,
        after: &str,
        to: &str,
        most: u32,
    ) -> Result<Vec<PointedReport>, StoreError> {
        const POINTED: &str = "
            select r.id as record_id, r.report_key as key from records r
            where r.report_key >= $1 and r.report_key > $2 and r.report_key < $3
            union
            select q.record_id, q.report_key from record_parts q
            where q.report_key >= $1 and q.report_key > $2 and q.report_key < $3
            order by key limit $4";
        self.store
            .all(POINTED, (from, after, to, i64::from(most)))
            .await
    }

    /// Returns the number of records with an HTML report.
    pub async fn count_pointed_reports(self) -> Result<i64, StoreError> {
        const COUNT: &str = "
            select (select count(*) from records where report_key is not null)
                   + (select count(*) from record_parts q where q.report_key is not null
                      and not exists (select 1 from records r where r.id = q.record_id and r.report_key = q.report_key))";
        self.store.value(COUNT, ()).await
    }

    /// Whether the record points to the report now.
    pub async fn points_to(self, report: &PointedReport) -> Result<bool, StoreError> {
        const POINTS: &str = "
            select (select count(*) from records where id = $1 and report_key = $2)
                   + (select count(*) from record_parts where record_id = $1 and report_key = $2)";
        let found: i64 = self
            .store
            .value(POINTS, (report.record_id, &report.key))
            .await?;
        Ok(found > 0)
    }

    /// Whether a record points to the report now, or it has a row in `orphaned_reports`.
    pub async fn knows_report(self, key: &str) -> Result<bool, StoreError> {
        const KNOWN: &str = "
            select case when exists (select 1 from records r where r.report_key = $1)
                          or exists (select 1 from record_parts q where q.report_key = $1)
                          or exists (select 1 from orphaned_reports l where l.key = $1)
                        then 1 else 0 end";
        let known: i64 = self.store.value(KNOWN, [key]).await?;
        Ok(known != 0)
    }

    /// Returns reports that a record points to although `orphaned_reports` marks them for removal.
    pub async fn orphaned_reports_of_records(self) -> Result<Vec<PointedReport>, StoreError> {
        const LOOSE: &str = "
            select r.id as record_id, r.report_key as key
            from orphaned_reports l join records r on r.report_key = l.key
            union
            select q.record_id, q.report_key
            from orphaned_reports l join record_parts q on q.report_key = l.key
            order by record_id limit 1000";
        self.store.all(LOOSE, ()).await
    }
}
