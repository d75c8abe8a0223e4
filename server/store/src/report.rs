//! The HTML reports and the names of a record, by its id.

use super::{Reader, StoreError, StoredReport, run::Run};
use domain::{BranchName, CommitHash, Language, PartName, Repository};
use sqlx::FromRow;

/// The names of a record.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct RecordNames {
    /// The repository.
    #[sqlx(flatten)]
    pub repository: Repository,
    /// The branch.
    #[sqlx(rename = "branch_name")]
    pub branch: BranchName,
    /// The commit.
    #[sqlx(rename = "commit_hash")]
    pub commit: CommitHash,
    /// The language.
    pub language: Language,
}

impl Reader {
    /// Returns the stored HTML report of a record; `None` if the record does not exist, was uploaded without HTML, or retention
    /// has removed the report.
    pub async fn report(&self, record_id: i64) -> Result<Option<StoredReport>, StoreError> {
        const REPORT: &str = "
            select report_key, report_start_page, coalesce(report_bytes, 0) as report_bytes from records
            where id = $1 and report_key is not null";
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(None);
        };
        store.first(REPORT, [record_id]).await
    }

    /// Returns the stored HTML report of a part of a record; `None` if there is no such part, or it has no HTML report. If a
    /// record has only the unnamed part, that part has the report of the record.
    pub async fn part_report(
        &self,
        record_id: i64,
        part: &PartName,
    ) -> Result<Option<StoredReport>, StoreError> {
        const REPORT: &str = "
            select report_key, report_start_page, coalesce(report_bytes, 0) as report_bytes from record_parts
            where record_id = $1 and part = $2 and report_key is not null
            union all
            select r.report_key, r.report_start_page, coalesce(r.report_bytes, 0) from records r
            where r.id = $1 and $2 = '' and r.report_key is not null
              and not exists (select 1 from record_parts q where q.record_id = r.id)";
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(None);
        };
        store.first(REPORT, (record_id, part)).await
    }

    /// Returns the keys of the stored HTML reports of a record and of its parts.
    pub async fn report_keys(&self, record_id: i64) -> Result<Vec<String>, StoreError> {
        const KEYS: &str = "
            select report_key from records where id = $1 and report_key is not null
            union
            select report_key from record_parts where record_id = $1 and report_key is not null";
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(Vec::new());
        };
        store.values(KEYS, [record_id]).await
    }

    /// Returns the stored HTML reports of the parts of a record.
    pub async fn part_reports(&self, record_id: i64) -> Result<Vec<StoredReport>, StoreError> {
        const REPORTS: &str = "
            select report_key, report_start_page, coalesce(report_bytes, 0) as report_bytes from record_parts
            where record_id = $1 and report_key is not null";
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(Vec::new());
        };
        store.all(REPORTS, [record_id]).await
    }

    /// Returns the names of a record; `None` if it does not exist.
    pub async fn names_of_record(&self, record_id: i64) -> Result<Option<RecordNames>, StoreError> {
        const NAMES: &str = "
            select p.org_name, p.repo_name, b.name as branch_name, r.commit_hash, r.language
            from records r
            join repositories p on p.id = r.repository_id
            join branches b on b.id = r.branch_id
            where r.id = $1";
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(None);
        };
        store.first(NAMES, [record_id]).await
    }
}
