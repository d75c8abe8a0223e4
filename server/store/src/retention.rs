//! Reads HTML reports for retention, by branch and language, and releases them.

use super::{
    Flag, Operator, StoreError, Writer,
    audit::{self, AuditChange},
    parts,
    time::now,
};
use crate::{actor::Actor, run::Run};
use domain::{AuditAction, BranchName, CommitHash, Language, Repository, Timestamp};
use sqlx::FromRow;

/// A branch and language with HTML reports.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct ReportSeries {
    branch_id: i64,
    /// The repository of the branch.
    #[sqlx(flatten)]
    pub repository: Repository,
    /// The branch.
    #[sqlx(rename = "branch_name")]
    pub branch: BranchName,
    /// The language.
    pub language: Language,
}

/// What the retention rules know about an HTML report.
#[derive(Clone, Copy, Debug, FromRow, PartialEq, Eq)]
pub struct ReportFacts {
    /// The time of the upload.
    pub updated_at: Timestamp,
    /// Whether the record is pinned, or the report is the newest confirmed one of a main branch in its language. Then it stays
    /// regardless of the rules, and still counts as a report of its week and towards the maximum number.
    #[sqlx(try_from = "Flag")]
    pub is_safe: bool,
    /// Whether the record is confirmed.
    #[sqlx(try_from = "Flag")]
    pub is_confirmed: bool,
}

/// A stored HTML report and its record.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct KeptReport {
    /// The id of the record.
    pub record_id: i64,
    /// The commit of the record.
    #[sqlx(rename = "commit_hash")]
    pub commit: CommitHash,
    /// The storage key of the report.
    pub key: String,
    /// What decides whether it stays.
    #[sqlx(flatten)]
    pub facts: ReportFacts,
}

/// Whether a record `r` is pinned, or has the newest report of a main branch in its language among confirmed records.
/// `coalesce` keeps SQLite from searching records without reports.
macro_rules! is_safe {
    () => {
        "(r.pinned_at is not null
          or (exists (select 1 from repositories p where p.id = r.repository_id and p.main_branch_id = r.branch_id)
              and r.unconfirmed_at is null
              and not exists (
                  select 1 from records later
                  where later.branch_id = r.branch_id and later.language = r.language
                    and later.report_key is not null and coalesce(later.unconfirmed_at, 0) = 0
                    and later.updated_at > r.updated_at)))"
    };
}

pub(super) mod sizes;

pub use sizes::SizedReport;

pub(super) const NEXT_SERIES: &str = "
    select r.branch_id, p.org_name, p.repo_name, b.name as branch_name, r.language
    from records r
        join branches b on b.id = r.branch_id
        join repositories p on p.id = b.repository_id
    where r.report_key is not null and (r.branch_id, r.language) > ($1, $2)
    order by r.branch_id, r.language limit 1";

pub(super) const REPORTS: &str = concat!(
    "select r.id as record_id, r.commit_hash, r.report_key as key, r.updated_at, case when ",
    is_safe!(),
    " then 1 else 0 end as is_safe, case when r.unconfirmed_at is null then 1 else 0 end as is_confirmed
     from records r
     where r.branch_id = $1 and r.language = $2 and r.report_key is not null
     order by r.updated_at desc"
);

impl Writer<'_> {
    /// Returns the next branch and language with reports after `before`.
    pub async fn next_report_series(
        self,
        before: Option<&ReportSeries>,
    ) -> Result<Option<ReportSeries>, StoreError> {
        let values = (
            before.map_or(0, |before| before.branch_id),
            before.map_or("", |before| before.language.as_str()),
        );
        self.store.first(NEXT_SERIES, values).await
    }

    /// Returns the reports of a branch and language, newest first.
    pub async fn reports_of(self, series: &ReportSeries) -> Result<Vec<KeptReport>, StoreError> {
        self.store
            .all(REPORTS, (series.branch_id, &series.language))
            .await
    }

    /// Releases reports of a branch and language, and returns the keys of reports that no record points to any more; they are
    /// marked for deletion. A report that meanwhile was replaced, was pinned or became the newest of a main branch stays.
    pub async fn release_reports(
        self,
        series: &ReportSeries,
        reports: &[KeptReport],
        by: &Actor,
    ) -> Result<Vec<String>, StoreError> {
        /// Locks the repository against other writers, as every writer does: no newer report can be added meanwhile, and transactions
        /// that lock several records cannot deadlock.
        const LOCK: &str = "
            update repositories set last_upload_at = last_upload_at
            where id = (select b.repository_id from branches b where b.id = $1)";
        const RELEASE: &str = concat!(
            "update records as r set report_key = null, report_start_page = null, report_removed_at = $1
             where r.id = $2 and r.report_key = $3 and not ",
            is_safe!()
        );
        let mut transaction = self.store.begin().await?;
        let held = transaction.changed(LOCK, [series.branch_id]).await?;
        // The repository was just merged into another one. The next run handles its reports.
        if held == 0 {
            return transaction.unchanged(Vec::new()).await;
        }
        let (at, mut released) = (now(), Vec::new());
        for report in reports {
            let values = (at, report.record_id, &report.key);
            if transaction.changed(RELEASE, values).await? > 0 {
                let keys =
                    parts::release_all_reports(&mut transaction, report.record_id, &report.key, at);
                released.extend(keys.await?);
            }
        }
        if !released.is_empty() {
            let subject = format!("branch {}, {}", series.branch, series.language);
            let change = AuditChange::of(AuditAction::ReportsPruned, &series.repository, subject)
                .after(match released.len() {
                    1 => "1 HTML report removed".to_owned(),
                    count => format!("{count} HTML reports removed"),
                });
            audit::write(&mut transaction, by, &change).await?;
        }
        transaction.commit().await?;
        Ok(released)
    }
}

impl Operator<'_> {
    /// Pins or unpins the report of a record. Returns whether the record has a report; `None` if the record does not exist.
    pub async fn pin_record(self, id: i64, is_pinned: bool) -> Result<Option<bool>, StoreError> {
        const PIN: &str = "
            update records set pinned_at = $1 where id = $2
            returning case when report_key is null then 0 else 1 end";
        let values = (is_pinned.then(now), id);
        let has_report = self
            .store
            .write(|pool| pool.first_value(PIN, values))
            .await?;
        Ok(has_report.map(|Flag(has_report)| has_report))
    }
}
