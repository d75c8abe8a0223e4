//! Names of repositories and organisations, which are compared without ASCII case and kept as they were first written.
//!
//! Databases from before that rule may hold names that collide: the exact spelling wins, then the oldest repository, which
//! alone has the key (`repositories.name_key`).

mod change;
mod collisions;
mod merge;
mod moving;
mod org;
mod repository;
mod scopes;
#[cfg(test)]
mod tests;

pub use change::{HowNamesChange, Merged, Moved, NameChange, NameChangeError, Named, NamesChanged};
pub use collisions::{Collision, Collisions};

use super::{Store, StoreError};
use app::domain::{OrgName, Repository, Timestamp};
use sqlx::{AnyConnection, FromRow, Row};
use std::collections::BTreeSet;

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

/// When a repository is written to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Moment {
    /// Now, but later than every other time: another service, whose clock is ahead, may have written the last one.
    After(Timestamp),
    /// At a time that may be long past.
    At(Timestamp),
}

/// A repository that waits for this transaction, as every transaction that writes to it changes its row first.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) id: i64,
    /// As it was first written.
    pub(super) repository: Repository,
    pub(super) last_upload_at: Timestamp,
}

#[derive(FromRow)]
struct HeldRow {
    id: i64,
    org_name: String,
    repo_name: String,
    last_upload_at: i64,
}

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

/// Makes whoever else writes to the repository wait; none where there is no such repository.
pub(super) async fn hold(
    connection: &mut AnyConnection,
    repository: &Repository,
    at: Moment,
) -> Result<Option<Held>, StoreError> {
    const HOLD: &str = concat!(
        "update repositories set last_upload_at =
             case when $4 > last_upload_at then $4 else last_upload_at + $5 end
         where id = ",
        repository_id!("$3"),
        " returning id, org_name, repo_name, last_upload_at"
    );
    let (at, step) = match at {
        Moment::After(at) => (at.0, 1_i64),
        Moment::At(at) => (at.0, 0),
    };
    let row: Option<HeldRow> = sqlx::query_as(HOLD)
        .bind(repository.org.as_str())
        .bind(repository.repo.as_str())
        .bind(repository.key())
        .bind(at)
        .bind(step)
        .fetch_optional(&mut *connection)
        .await?;
    row.map(Held::try_from).transpose()
}

/// The same, but the repository is added where there is none.
pub(super) async fn hold_or_add(
    connection: &mut AnyConnection,
    repository: &Repository,
    at: Moment,
) -> Result<Held, StoreError> {
    if let Some(held) = hold(connection, repository, at).await? {
        return Ok(held);
    }
    lock(connection, &[&repository.org]).await?;
    give_keys(connection).await?;
    // Somebody else may have added or renamed it meanwhile.
    match hold(connection, repository, at).await? {
        Some(held) => Ok(held),
        None => add(connection, repository, at).await,
    }
}

async fn add(
    connection: &mut AnyConnection,
    repository: &Repository,
    at: Moment,
) -> Result<Held, StoreError> {
    const ADD: &str = "
        insert into repositories (org_name, repo_name, name_key, created_at, last_upload_at)
        values ($1, $2, $3, $4, $4)
        returning id, org_name, repo_name, last_upload_at";
    let (Moment::After(at) | Moment::At(at)) = at;
    let org = org_for_new(connection, &repository.org).await?;
    let row: HeldRow = sqlx::query_as(ADD)
        .bind(org.as_str())
        .bind(repository.repo.as_str())
        .bind(repository.key())
        .bind(at.0)
        .fetch_one(&mut *connection)
        .await?;
    row.try_into()
}

/// Makes whoever else adds or changes names in the same outermost organisations wait until this transaction ends, so that
/// two spellings of one name are never added at once. It comes before the rows of repositories. SQLite has one writer.
pub(super) async fn lock(
    connection: &mut AnyConnection,
    orgs: &[&OrgName],
) -> Result<(), StoreError> {
    // Of all that this service locks by number, 14 stands for names. The function's own answer has no type to be read.
    const LOCK: &str = "select pg_advisory_xact_lock(14, hashtext($1))::text";
    if connection.backend_name() == "SQLite" {
        return Ok(());
    }
    let outermost = |org: &&OrgName| org.key().split('/').next().map(str::to_owned);
    // In an order that is the same for everybody.
    let orgs: BTreeSet<String> = orgs.iter().filter_map(outermost).collect();
    for org in orgs {
        sqlx::query(LOCK)
            .bind(org)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Gives the key to the oldest of repositories that are called alike, where none has it: the one that had it is gone.
pub(super) async fn give_keys(connection: &mut AnyConnection) -> Result<(), StoreError> {
    const GIVE: &str = "
        update repositories set name_key = n.name_key
        from (
            select p.id, lower(p.org_name || '/' || p.repo_name) as name_key,
                   row_number() over (partition by lower(p.org_name || '/' || p.repo_name)
                                      order by p.created_at, p.id) as place
            from repositories p where p.name_key is null
        ) n
        where n.id = repositories.id and n.place = 1
          and not exists (select 1 from repositories k where k.name_key = n.name_key)";
    sqlx::query(GIVE).execute(&mut *connection).await?;
    Ok(())
}

impl TryFrom<HeldRow> for Held {
    type Error = StoreError;

    fn try_from(row: HeldRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id,
            repository: Repository {
                org: row.org_name.try_into()?,
                repo: row.repo_name.try_into()?,
            },
            last_upload_at: Timestamp(row.last_upload_at),
        })
    }
}
