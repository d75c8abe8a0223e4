//! What a record's id leads to: its HTML report, and its names.

use super::{Store, StoreError, StoredReport};
use domain::{BranchName, CommitHash, Repository};
use sqlx::Row;

/// The names of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordNames {
    /// Its repository.
    pub repository: Repository,
    /// Its branch.
    pub branch: BranchName,
    /// Its commit.
    pub commit: CommitHash,
}

impl Store {
    /// Returns the stored HTML report of a record; none if the record does not exist, was uploaded without HTML, or
    /// retention has removed the report.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn report(&self, record_id: i64) -> Result<Option<StoredReport>, StoreError> {
        const REPORT: &str = "
            select report_key, report_start_page, report_bytes from records
            where id = $1 and report_key is not null";
        let row = sqlx::query(REPORT)
            .bind(record_id)
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(StoredReport {
            key: row.try_get("report_key")?,
            start_page: row.try_get("report_start_page")?,
            bytes: row
                .try_get::<Option<i64>, _>("report_bytes")?
                .and_then(|bytes| bytes.try_into().ok())
                .unwrap_or(0),
        }))
    }

    /// Returns the names of a record; none if it does not exist.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn names_of_record(&self, record_id: i64) -> Result<Option<RecordNames>, StoreError> {
        const NAMES: &str = "
            select p.org_name, p.repo_name, b.name as branch_name, r.commit_hash
            from records r
            join repositories p on p.id = r.repository_id
            join branches b on b.id = r.branch_id
            where r.id = $1";
        let row = sqlx::query(NAMES)
            .bind(record_id)
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let text = |column| row.try_get::<String, _>(column);
        Ok(Some(RecordNames {
            repository: Repository {
                org: text("org_name")?.try_into()?,
                repo: text("repo_name")?.try_into()?,
            },
            branch: text("branch_name")?.try_into()?,
            commit: text("commit_hash")?.try_into()?,
        }))
    }
}
