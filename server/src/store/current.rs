//! The current records of one repository, as the response to an upload lists them.

use super::{Record, Store, StoreError, names::repository_id, record::RecordRow};
use domain::Repository;

pub(super) const CURRENT_RECORDS: &str = concat!(
    "select r.id, p.org_name, p.repo_name, b.name as branch_name, r.commit_hash, r.commit_author, r.language,
           r.percentage_basis_points, r.created_at, r.updated_at
    from repositories p
    join records r on r.repository_id = p.id and r.superseded_at is null
    join branches b on b.id = r.branch_id
    where p.id = ",
    repository_id!("$3"),
    " order by r.updated_at desc, r.id desc"
);

impl Store {
    /// Returns the current record of every branch and language of a repository, most recently updated first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn current_records(
        &self,
        repository: &Repository,
    ) -> Result<Vec<Record>, StoreError> {
        let rows: Vec<RecordRow> = sqlx::query_as(CURRENT_RECORDS)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .bind(repository.key())
            .fetch_all(&self.readers)
            .await?;
        rows.into_iter().map(Record::try_from).collect()
    }
}
