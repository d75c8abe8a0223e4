//! Which source-hosting service a repository belongs to.
//!
//! Names are unique within one service only: another one may have a repository of the same name, which is not this one.

use super::{Store, StoreError, names::repository_id};
use app::domain::Repository;
use sqlx::{AnyConnection, Row};

/// A service that vouches for a repository, as it was found to be the right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vouching {
    /// The service.
    pub forge: String,
    /// The one that the repository belonged to then. Where that has changed since, the finding is void.
    pub seen: Option<String>,
}

/// What is known of a repository's service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vouched {
    /// The service that it belongs to; none as long as only tokens of our own were used.
    pub forge: Option<String>,
    /// Whether there is anything in it.
    pub has_records: bool,
}

impl Store {
    /// What is known of a repository's service.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn vouched(&self, repository: &Repository) -> Result<Vouched, StoreError> {
        const VOUCHED: &str = concat!(
            "select p.forge,
                   case when exists (select 1 from records r where r.repository_id = p.id) then 1 else 0 end as has_records
            from repositories p where p.id = ",
            repository_id!("$3")
        );
        let row = sqlx::query(VOUCHED)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .bind(repository.key())
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else {
            return Ok(Vouched::default());
        };
        Ok(Vouched {
            forge: row.try_get("forge")?,
            has_records: row.try_get::<i64, _>("has_records")? != 0,
        })
    }
}

/// Notes whose a repository is from now on, within the transaction that writes to it.
///
/// # Errors
///
/// [`StoreError::OtherForge`] where another service has come first since it was looked at.
pub(super) async fn claim(
    connection: &mut AnyConnection,
    repository_id: i64,
    vouching: Option<&Vouching>,
) -> Result<(), StoreError> {
    let Some(vouching) = vouching else {
        return Ok(());
    };
    let stored: Option<String> = sqlx::query_scalar("select forge from repositories where id = $1")
        .bind(repository_id)
        .fetch_one(&mut *connection)
        .await?;
    if stored.as_ref() == Some(&vouching.forge) {
        return Ok(());
    }
    if stored != vouching.seen {
        return Err(StoreError::OtherForge(stored.unwrap_or_default()));
    }
    sqlx::query("update repositories set forge = $1 where id = $2")
        .bind(vouching.forge.as_str())
        .bind(repository_id)
        .execute(&mut *connection)
        .await?;
    Ok(())
}
