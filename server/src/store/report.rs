//! What a record's id leads to: its report, and its branch.

use super::{Store, StoreError, StoredReport};
use app::domain::{BranchName, Repository};
use sqlx::Row;

impl Store {
    /// The stored report of a record; none where there is no such record, or it was uploaded without HTML.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn report(&self, record_id: i64) -> Result<Option<StoredReport>, StoreError> {
        let row = sqlx::query("select report_key, report_start_page from records where id = $1 and report_key is not null")
            .bind(record_id)
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(StoredReport {
            key: row.try_get("report_key")?,
            start_page: row.try_get("report_start_page")?,
        }))
    }

    /// The repository and branch of a record.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn branch_of_record(
        &self,
        record_id: i64,
    ) -> Result<Option<(Repository, BranchName)>, StoreError> {
        const BRANCH: &str = "
            select p.org_name, p.repo_name, b.name as branch_name
            from records r
            join repositories p on p.id = r.repository_id
            join branches b on b.id = r.branch_id
            where r.id = $1";
        let row = sqlx::query(BRANCH)
            .bind(record_id)
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let text = |column| row.try_get::<String, _>(column);
        let repository = Repository {
            org: text("org_name")?.try_into()?,
            repo: text("repo_name")?.try_into()?,
        };
        Ok(Some((repository, text("branch_name")?.try_into()?)))
    }
}
