//! Reports as retention sees them: those of one branch and language after the other, and letting go of some.

use super::{
    Store, StoreError, loose_reports,
    time::now,
    write::{begin, settle},
};
use app::domain::{Repository, Timestamp};
use sqlx::{AnyConnection, FromRow};

/// A branch and language that has reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportSeries {
    branch_id: i64,
    language: String,
}

/// A stored report and its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptReport {
    /// The id of its record.
    pub record_id: i64,
    /// The key of its object.
    pub key: String,
    /// When it was uploaded.
    pub updated_at: Timestamp,
    /// Whether it is the newest one of a main branch, or its record is pinned.
    pub is_safe: bool,
}

/// Which reports a report can only be one of while nobody else thinks so: pinned ones, and current ones of main branches.
macro_rules! is_safe {
    () => {
        "(r.pinned_at is not null
          or (r.superseded_at is null
              and r.branch_id = (select p.main_branch_id from repositories p where p.id = r.repository_id)))"
    };
}

#[derive(FromRow)]
struct SeriesRow {
    branch_id: i64,
    language: String,
}

#[derive(FromRow)]
struct ReportRow {
    id: i64,
    report_key: String,
    updated_at: i64,
    is_safe: i64,
}

impl Store {
    /// The branch and language that comes after `before`, of those that have reports.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn next_report_series(
        &self,
        before: Option<&ReportSeries>,
    ) -> Result<Option<ReportSeries>, StoreError> {
        const NEXT: &str = "
            select r.branch_id, r.language from records r
            where r.report_key is not null and (r.branch_id, r.language) > ($1, $2)
            order by r.branch_id, r.language limit 1";
        let row: Option<SeriesRow> = sqlx::query_as(NEXT)
            .bind(before.map_or(0, |before| before.branch_id))
            .bind(before.map_or("", |before| before.language.as_str()))
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.map(|row| ReportSeries {
            branch_id: row.branch_id,
            language: row.language,
        }))
    }

    /// The reports of a branch and language, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn reports_of(&self, series: &ReportSeries) -> Result<Vec<KeptReport>, StoreError> {
        const REPORTS: &str = concat!(
            "select r.id, r.report_key, r.updated_at, case when ",
            is_safe!(),
            " then 1 else 0 end as is_safe
             from records r
             where r.branch_id = $1 and r.language = $2 and r.report_key is not null
             order by r.updated_at desc"
        );
        let rows: Vec<ReportRow> = sqlx::query_as(REPORTS)
            .bind(series.branch_id)
            .bind(series.language.as_str())
            .fetch_all(&self.readers)
            .await?;
        let reports = rows.into_iter().map(|row| KeptReport {
            record_id: row.id,
            key: row.report_key,
            updated_at: Timestamp(row.updated_at),
            is_safe: row.is_safe != 0,
        });
        Ok(reports.collect())
    }

    /// Lets go of reports, and returns the keys of those that no record points to any more: they are doomed. One that has
    /// been replaced, pinned or made a main branch's newest meanwhile stays.
    ///
    /// # Errors
    ///
    /// When the database fails; nothing has changed then.
    pub async fn let_go_of_reports(
        &self,
        reports: &[KeptReport],
    ) -> Result<Vec<String>, StoreError> {
        let mut connection = self.writer.acquire().await?;
        let released = let_go(&mut connection, reports).await;
        settle(connection, released).await
    }

    /// Has the report of a record kept, or leaves that to retention again; false where there is no such record.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn pin_record(&self, id: i64, is_pinned: bool) -> Result<bool, StoreError> {
        let pinned = sqlx::query("update records set pinned_at = $1 where id = $2")
            .bind(is_pinned.then(|| now().0))
            .bind(id)
            .execute(&self.writer)
            .await?;
        Ok(pinned.rows_affected() > 0)
    }

    /// The repository of a record.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn repository_of_record(&self, id: i64) -> Result<Option<Repository>, StoreError> {
        Ok(self
            .names_of_record(id)
            .await?
            .map(|names| names.repository))
    }
}

async fn let_go(
    connection: &mut AnyConnection,
    reports: &[KeptReport],
) -> Result<Vec<String>, StoreError> {
    const LET_GO: &str = concat!(
        "update records as r set report_key = null, report_start_page = null, report_removed_at = $1
         where r.id = $2 and r.report_key = $3 and not ",
        is_safe!()
    );
    let mut transaction = begin(connection).await?;
    let (at, mut released) = (now(), Vec::new());
    for report in reports {
        let done = sqlx::query(LET_GO)
            .bind(at.0)
            .bind(report.record_id)
            .bind(report.key.as_str())
            .execute(&mut *transaction)
            .await?;
        if done.rows_affected() > 0 {
            loose_reports::doom(&mut transaction, &report.key, at).await?;
            released.push(report.key.clone());
        }
    }
    transaction.commit().await?;
    Ok(released)
}
