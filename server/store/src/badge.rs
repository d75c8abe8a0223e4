//! The percentage on a badge.

use super::{Reader, StoreError, run::Run};
use domain::{BranchName, Language, Percentage, Repository, Timestamp};

const OF_MAIN: &str = "select r.percentage_basis_points from repositories p
    join records r on r.branch_id = p.main_branch_id and r.superseded_at is null
    where p.name_key = $1 and ($2 is null or r.language = $2)
    order by r.updated_at desc, r.id desc limit 1";

const OF_BRANCH: &str = "select r.percentage_basis_points from repositories p
    join branches b on b.repository_id = p.id and b.name = $3
    join records r on r.branch_id = b.id and r.superseded_at is null
    where p.name_key = $1 and ($2 is null or r.language = $2)
    order by r.updated_at desc, r.id desc limit 1";

impl Reader {
    /// Returns the current percentage of a branch in a language. Defaults: the main branch, and the language that was updated
    /// last.
    pub async fn badge(
        &self,
        repository: &Repository,
        branch: Option<&BranchName>,
        language: Option<&Language>,
    ) -> Result<Option<Percentage>, StoreError> {
        let Some(store) = self.sees(repository) else {
            return Ok(None);
        };
        match branch {
            Some(branch) => {
                let values = (repository, language, branch);
                store.first_value(OF_BRANCH, values).await
            }
            None => store.first_value(OF_MAIN, (repository, language)).await,
        }
    }

    /// Returns the percentage of a record and the time of its last upload; `None` if there is no such record.
    pub async fn badge_of_record(
        &self,
        id: i64,
    ) -> Result<Option<(Percentage, Timestamp)>, StoreError> {
        const OF_RECORD: &str =
            "select percentage_basis_points, updated_at from records where id = $1";
        let Some(store) = self.sees_record(id).await? else {
            return Ok(None);
        };
        store.first(OF_RECORD, [id]).await
    }
}
