//! What a record is compared with, and who vouches for its repository.

use super::{Record, Store, StoreError, main_branch::main_branch_id, record::percentage};
use app::domain::{BranchName, Percentage, Repository};
use sqlx::Row;

/// What a record is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// The current record of the main branch.
    Main(BranchName, Percentage),
    /// The record before it, as it is on the main branch itself.
    Before(Percentage),
}

impl Base {
    /// The percentage to compare with.
    pub fn percentage(&self) -> Percentage {
        match self {
            Self::Main(_, percentage) | Self::Before(percentage) => *percentage,
        }
    }
}

const MAIN_BRANCH: &str = concat!(
    "select b.id, b.name from repositories p join branches b on b.id = ",
    main_branch_id!(),
    " where p.org_name = $1 and p.repo_name = $2"
);

const CURRENT_OF_BRANCH: &str = "
    select percentage_basis_points from records
    where branch_id = $1 and superseded_at is null and language = $2";

const BEFORE: &str = "
    select percentage_basis_points from records
    where branch_id = $1 and language = $2 and id <> $3
    order by updated_at desc limit 1";

impl Store {
    /// What a record is compared with: none where the main branch has nothing of its language.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn base(&self, record: &Record) -> Result<Option<Base>, StoreError> {
        let main = sqlx::query(MAIN_BRANCH)
            .bind(record.repository.org.as_str())
            .bind(record.repository.repo.as_str())
            .fetch_optional(&self.readers)
            .await?;
        let Some(main) = main else { return Ok(None) };
        let branch: BranchName = main.try_get::<String, _>("name")?.try_into()?;
        let is_main = branch == record.branch;
        let sql = if is_main { BEFORE } else { CURRENT_OF_BRANCH };
        let mut query = sqlx::query_scalar(sql)
            .bind(main.try_get::<i64, _>("id")?)
            .bind(record.language.as_str());
        if is_main {
            query = query.bind(record.id);
        }
        let found: Option<i64> = query.fetch_optional(&self.readers).await?;
        Ok(found.map(|basis_points| match is_main {
            true => Base::Before(percentage(basis_points)),
            false => Base::Main(branch, percentage(basis_points)),
        }))
    }

    /// The host of the source-hosting service that first vouched for a repository, if one did.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn forge(&self, repository: &Repository) -> Result<Option<String>, StoreError> {
        const FORGE: &str = "select forge from repositories where org_name = $1 and repo_name = $2";
        let forge: Option<Option<String>> = sqlx::query_scalar(FORGE)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .fetch_optional(&self.readers)
            .await?;
        Ok(forge.flatten())
    }
}
