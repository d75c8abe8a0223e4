//! Names of repositories and organisations, which are compared without ASCII case and kept as they were first written.
//!
//! Databases from before that rule may hold names that collide: the exact spelling wins, then the oldest repository, which
//! alone has the key (`repositories.name_key`).

mod change;
mod collisions;
mod holding;
mod merge;
mod moving;
mod org;
mod repository;
mod scopes;
#[cfg(test)]
mod tests;

pub use change::{HowNamesChange, Merged, Moved, NameChange, NameChangeError, Named, NamesChanged};
pub use collisions::{Collision, Collisions};
pub(super) use holding::{Moment, hold, hold_or_add};

use super::{Store, StoreError};
use domain::{OrgName, Repository};
pub(super) use holding::{give_keys, lock, lock_all};
use sqlx::{AnyConnection, Row};

/// A subquery for the id of the repository that is called `$1`/`$2`, whose key is the value of the given place.
macro_rules! repository_id {
    ($key:literal) => {
        $crate::store::names::repository_id!("$1", "$2", $key)
    };
    ($org:literal, $repo:literal, $key:literal) => {
        concat!(
            "coalesce((select e.id from repositories e where e.org_name = ",
            $org,
            " and e.repo_name = ",
            $repo,
            "), (select k.id from repositories k where k.name_key = ",
            $key,
            "))"
        )
    };
}

pub(super) use repository_id;

/// The names of the repository that is meant.
pub(super) const STORED: &str = concat!(
    "select p.org_name, p.repo_name from repositories p where p.id = ",
    repository_id!("$3")
);

/// The name of an organisation that is, or is around, the one whose name is `$1`: exactly so, or of the oldest repository.
pub(super) const STORED_ORG: &str = "
    select coalesce(
        (select e.org_name from repositories e where e.org_name = $1 limit 1),
        (select b.org_name from repositories b where b.org_name > $2 and b.org_name < $3 limit 1),
        (select k.org_name from repositories k where k.name_key > $4 and k.name_key < $5
         order by k.created_at, k.id limit 1))";

impl Store {
    /// The repository that is called so, as it was first written; none where there is none.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn stored_repository(
        &self,
        repository: &Repository,
    ) -> Result<Option<Repository>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        stored_repository(&mut connection, repository).await
    }

    /// An organisation as it was first written; as it is given where there is none.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn stored_org(&self, org: &OrgName) -> Result<OrgName, StoreError> {
        let mut connection = self.readers.acquire().await?;
        let stored = stored_org(&mut connection, org.as_str()).await?;
        Ok(stored.map_or_else(|| Ok(org.clone()), OrgName::try_from)?)
    }
}

pub(super) async fn stored_repository(
    connection: &mut AnyConnection,
    repository: &Repository,
) -> Result<Option<Repository>, StoreError> {
    let row = sqlx::query(STORED)
        .bind(repository.org.as_str())
        .bind(repository.repo.as_str())
        .bind(repository.key())
        .fetch_optional(&mut *connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let name = |column| row.try_get::<String, _>(column);
    Ok(Some(Repository {
        org: name("org_name")?.try_into()?,
        repo: name("repo_name")?.try_into()?,
    }))
}

/// The names that a repository has, or that it gets when it is added.
pub(super) async fn as_stored(
    connection: &mut AnyConnection,
    repository: &Repository,
) -> Result<Repository, StoreError> {
    match stored_repository(connection, repository).await? {
        Some(stored) => Ok(stored),
        None => Ok(Repository {
            org: org_for_new(connection, &repository.org).await?,
            repo: repository.repo.clone(),
        }),
    }
}

/// How the segments of `name` are written where an organisation or one around others has them; none where none has.
async fn stored_org(
    connection: &mut AnyConnection,
    name: &str,
) -> Result<Option<String>, StoreError> {
    let key = name.to_ascii_lowercase();
    let found: Option<String> = sqlx::query_scalar(STORED_ORG)
        .bind(name)
        .bind(format!("{name}/"))
        // `0` follows `/`.
        .bind(format!("{name}0"))
        .bind(format!("{key}/"))
        .bind(format!("{key}0"))
        .fetch_one(&mut *connection)
        .await?;
    Ok(found.and_then(|found| found.get(..name.len()).map(str::to_owned)))
}

/// How an organisation is written that may be new: the segments that are known decide how these are written.
pub(super) async fn org_for_new(
    connection: &mut AnyConnection,
    org: &OrgName,
) -> Result<OrgName, StoreError> {
    let (mut known, mut rest) = (org.as_str(), "");
    loop {
        if let Some(stored) = stored_org(connection, known).await? {
            return Ok(format!("{stored}{rest}").try_into()?);
        }
        match known.rfind('/') {
            None => return Ok(org.clone()),
            Some(end) => (known, rest) = org.as_str().split_at(end),
        }
    }
}
