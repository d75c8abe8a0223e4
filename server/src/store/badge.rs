//! The percentage that a badge shows.

use super::{Store, StoreError, record::percentage};
use app::domain::{BranchName, Language, Percentage, Repository};

const OF_MAIN: &str = "
    select r.percentage_basis_points from repositories p
    join records r on r.branch_id = p.main_branch_id and r.superseded_at is null
    where p.org_name = $1 and p.repo_name = $2 and ($3 is null or r.language = $3)
    order by r.updated_at desc, r.id desc limit 1";

const OF_BRANCH: &str = "
    select r.percentage_basis_points from repositories p
    join branches b on b.repository_id = p.id and b.name = $4
    join records r on r.branch_id = b.id and r.superseded_at is null
    where p.org_name = $1 and p.repo_name = $2 and ($3 is null or r.language = $3)
    order by r.updated_at desc, r.id desc limit 1";

impl Store {
    /// The current percentage of a branch, or of the main one, in a language, or in the one that was updated last.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn badge(
        &self,
        repository: &Repository,
        branch: Option<&BranchName>,
        language: Option<&Language>,
    ) -> Result<Option<Percentage>, StoreError> {
        let sql = if branch.is_some() { OF_BRANCH } else { OF_MAIN };
        let mut query = sqlx::query_scalar(sql)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .bind(language.map(Language::as_str));
        if let Some(branch) = branch {
            query = query.bind(branch.as_str());
        }
        let found: Option<i64> = query.fetch_optional(&self.readers).await?;
        Ok(found.map(percentage))
    }
}
