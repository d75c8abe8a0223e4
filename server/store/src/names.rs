//! Names of repositories and orgs: compared without ASCII case, stored as first written.

use super::{StoreError, run::Run};
use domain::{OrgName, Repository};
use sqlx::AnyConnection;

pub(super) const ID: &str = "select p.id from repositories p where p.name_key = $1";

/// The stored names of the repository.
pub(super) const STORED: &str =
    "select p.org_name, p.repo_name from repositories p where p.name_key = $1";

/// An org with the keys from `$1` to `$2`.
pub(super) const STORED_ORG: &str =
    "select k.org_name from repositories k where k.name_key > $1 and k.name_key < $2 limit 1";

pub(super) async fn stored_repository(
    connection: &mut AnyConnection,
    repository: &Repository,
) -> Result<Option<Repository>, StoreError> {
    connection.first(STORED, [repository.key()]).await
}

/// Returns the repository of a record.
pub(super) async fn of_record(
    connection: &mut AnyConnection,
    record_id: i64,
) -> Result<Option<Repository>, StoreError> {
    const OF_RECORD: &str = "
        select p.org_name, p.repo_name from records r
        join repositories p on p.id = r.repository_id
        where r.id = $1";
    connection.first(OF_RECORD, [record_id]).await
}

/// Returns the names that a repository has, or gets when it is added.
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

/// The bounds of the names below an org: `0` is the character after `/`.
pub(super) fn below(org: &str) -> [String; 2] {
    [format!("{org}/"), format!("{org}0")]
}

/// Returns the stored spelling of the segments of `name`, from an org or a group that has them; `None` if no org has them.
pub(super) async fn stored_org(
    connection: &mut AnyConnection,
    name: &str,
) -> Result<Option<String>, StoreError> {
    let below = below(&name.to_ascii_lowercase());
    let found: Option<String> = connection.first_value(STORED_ORG, below).await?;
    Ok(found.and_then(|found| found.get(..name.len()).map(str::to_owned)))
}

/// Returns the spelling of an org that may be new: known segments keep their stored spelling.
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

#[cfg(test)]
mod tests {
    use crate::{StoreError, testing::TestStore};
    use domain::Repository;

    async fn named(sql: &'static str) -> Result<Repository, StoreError> {
        let store = TestStore::new().await;
        Ok(sqlx::query_as(sql).fetch_one(&store.read_pool).await?)
    }

    #[tokio::test]
    async fn a_stored_name_that_is_not_valid_is_reported_as_such() {
        let valid = named("select 'acme/sub' as org_name, 'one' as repo_name").await;
        assert_eq!(valid.expect("a repository").to_string(), "acme/sub/one");
        let not_valid = named("select 'acme' as org_name, 'a b' as repo_name").await;
        assert!(
            matches!(not_valid, Err(StoreError::Name(_))),
            "{not_valid:?}"
        );
        let missing = named("select 'acme' as org_name").await;
        assert!(
            matches!(missing, Err(StoreError::Database(_))),
            "{missing:?}"
        );
    }
}
