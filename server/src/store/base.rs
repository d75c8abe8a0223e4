//! The base that a record is compared with.

use super::{Record, Store, StoreError, columns::Name, names::repository_id};
use domain::{BranchName, Percentage, Repository};
use sqlx::FromRow;

/// The base that a record is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    /// The current record of the main branch.
    Main(BranchName, Percentage),
    /// The previous record, for a record on the main branch.
    Before(Percentage),
}

impl Base {
    /// Returns the percentage to compare with.
    pub fn percentage(&self) -> Percentage {
        match self {
            Self::Main(_, percentage) | Self::Before(percentage) => *percentage,
        }
    }
}

#[derive(FromRow)]
struct MainBranch {
    id: i64,
    #[sqlx(try_from = "Name<BranchName>")]
    name: BranchName,
}

const MAIN_BRANCH: &str = concat!(
    "select b.id, b.name from repositories p join branches b on b.id = p.main_branch_id where p.id = ",
    repository_id!("$3")
);

const CURRENT_OF_BRANCH: &str = "
    select percentage_basis_points from records
    where branch_id = $1 and superseded_at is null and language = $2";

const BEFORE: &str = "
    select percentage_basis_points from records
    where branch_id = $1 and language = $2 and id <> $3 and unconfirmed_at is null
    order by updated_at desc limit 1";

impl Store {
    /// Returns the base of a record; none if the main branch has no record of its language.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn base(&self, record: &Record) -> Result<Option<Base>, StoreError> {
        let Some(main) = self.main_branch_row(&record.repository).await? else {
            return Ok(None);
        };
        let is_main = main.name == record.branch;
        let sql = if is_main { BEFORE } else { CURRENT_OF_BRANCH };
        let mut query = sqlx::query_scalar(sql)
            .bind(main.id)
            .bind(record.language.as_str());
        if is_main {
            query = query.bind(record.id);
        }
        let found: Option<i64> = query.fetch_optional(&self.readers).await?;
        Ok(found.map(Percentage::from).map(|percentage| {
            if is_main {
                Base::Before(percentage)
            } else {
                Base::Main(main.name, percentage)
            }
        }))
    }

    async fn main_branch_row(
        &self,
        repository: &Repository,
    ) -> Result<Option<MainBranch>, StoreError> {
        Ok(sqlx::query_as(MAIN_BRANCH)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .bind(repository.key())
            .fetch_optional(&self.readers)
            .await?)
    }
}
