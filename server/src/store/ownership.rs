//! Which forge a repository belongs to, and by which numbers that knows it.
//!
//! Names are unique within one service only: another one may have a repository of the same name, which is not this one. And
//! within a service a name that is given up may be registered by somebody else.

use super::{
    Store, StoreError,
    audit::{self, AuditChange},
    names::repository_id,
    write::{begin, settle},
};
use crate::store::actor::Actor;
use domain::{AuditAction, Repository};
use sqlx::{AnyConnection, Row};

/// A service that vouches for a repository, as it was found to be the right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeClaim {
    /// The service.
    pub forge: String,
    /// The one that the repository belonged to then. Where that has changed since, the finding is void.
    pub seen: Option<String>,
    /// What it vouches by.
    pub by: ClaimedBy,
}

/// What a service vouches by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimedBy {
    /// A token, with which it says no numbers.
    Token,
    /// An identity, with the numbers that it has of the repository, if any.
    Identity(Option<ForgeIds>),
}

/// The numbers by which a forge knows a repository and its owner: no other one ever gets them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeIds {
    /// Of the repository.
    pub repository: String,
    /// Of the organisation, group or person that it belongs to.
    pub owner: String,
}

/// What is known of a repository's service.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ownership {
    /// The service that it belongs to; none as long as only tokens of our own were used.
    pub forge: Option<String>,
    /// The numbers that the first identity had.
    pub ids: Option<ForgeIds>,
    /// Whether there is anything in it.
    pub has_records: bool,
}

impl Ownership {
    /// Whether this is the repository that `forge` means: the numbers of an identity have to be those of the first one.
    pub fn is_meant(&self, forge: &str, by: &ClaimedBy) -> bool {
        match (&self.ids, by) {
            (Some(pinned), ClaimedBy::Identity(ids)) if self.forge.as_deref() == Some(forge) => {
                ids.as_ref() == Some(pinned)
            }
            _ => true,
        }
    }
}

impl Store {
    /// What is known of a repository's service.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn ownership(&self, repository: &Repository) -> Result<Ownership, StoreError> {
        const VOUCHED: &str = concat!(
            "select p.forge, p.forge_repository_id, p.forge_owner_id,
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
            return Ok(Ownership::default());
        };
        Ok(Ownership {
            forge: row.try_get("forge")?,
            ids: ids_of(&row)?,
            has_records: row.try_get::<i64, _>("has_records")? != 0,
        })
    }

    /// Forgets by which numbers a repository is known: the next identity says them anew. The numbers that were forgotten, if
    /// any; none where nothing was ever uploaded to the repository.
    ///
    /// # Errors
    ///
    /// When the database fails; nothing has changed then.
    pub async fn unpin_identity(
        &self,
        repository: &Repository,
        by: &Actor,
    ) -> Result<Option<Option<ForgeIds>>, StoreError> {
        let mut connection = self.writer.acquire().await?;
        let unpinned = unpin(&mut connection, repository, by).await;
        settle(connection, unpinned).await
    }
}

async fn unpin(
    connection: &mut AnyConnection,
    repository: &Repository,
    by: &Actor,
) -> Result<Option<Option<ForgeIds>>, StoreError> {
    const PINNED: &str = concat!(
        "select p.id, p.org_name, p.repo_name, p.forge_repository_id, p.forge_owner_id from repositories p where p.id = ",
        repository_id!("$3")
    );
    const UNPIN: &str = "
        update repositories set forge_repository_id = null, forge_owner_id = null where id = $1";
    let mut transaction = begin(connection).await?;
    let row = sqlx::query(PINNED)
        .bind(repository.org.as_str())
        .bind(repository.repo.as_str())
        .bind(repository.key())
        .fetch_optional(&mut *transaction)
        .await?;
    let Some(row) = row else { return Ok(None) };
    sqlx::query(UNPIN)
        .bind(row.try_get::<i64, _>("id")?)
        .execute(&mut *transaction)
        .await?;
    let ids = ids_of(&row)?;
    if let Some(ids) = &ids {
        let stored = Repository {
            org: row.try_get::<String, _>("org_name")?.try_into()?,
            repo: row.try_get::<String, _>("repo_name")?.try_into()?,
        };
        let change = AuditChange::of(AuditAction::IdentityUnpinned, &stored, "identity").before(
            format!("repository {} of owner {}", ids.repository, ids.owner),
        );
        audit::write(&mut transaction, by, &change).await?;
    }
    transaction.commit().await?;
    Ok(Some(ids))
}

/// Notes whose a repository is from now on, within the transaction that writes to it.
///
/// # Errors
///
/// [`StoreError::OtherForge`] where another service has come first since it was looked at, and
/// [`StoreError::OtherIdentity`] where an identity with other numbers has.
pub(super) async fn claim(
    connection: &mut AnyConnection,
    repository_id: i64,
    forge_claim: Option<&ForgeClaim>,
) -> Result<(), StoreError> {
    const STORED: &str = "
        select forge, forge_repository_id, forge_owner_id from repositories where id = $1";
    const CLAIM: &str = "
        update repositories set forge = $1, forge_repository_id = $2, forge_owner_id = $3 where id = $4";
    let Some(forge_claim) = forge_claim else {
        return Ok(());
    };
    let row = sqlx::query(STORED)
        .bind(repository_id)
        .fetch_one(&mut *connection)
        .await?;
    let stored = Ownership {
        forge: row.try_get("forge")?,
        ids: ids_of(&row)?,
        has_records: true,
    };
    let is_same = stored.forge.as_ref() == Some(&forge_claim.forge);
    if !is_same && stored.forge != forge_claim.seen {
        return Err(StoreError::OtherForge(stored.forge.unwrap_or_default()));
    }
    if !stored.is_meant(&forge_claim.forge, &forge_claim.by) {
        return Err(StoreError::OtherIdentity);
    }
    let said = match &forge_claim.by {
        ClaimedBy::Identity(ids) => ids.clone(),
        ClaimedBy::Token => None,
    };
    // Numbers of one service mean nothing at another.
    let ids = said.or(stored.ids.clone().filter(|_| is_same));
    if is_same && ids == stored.ids {
        return Ok(());
    }
    sqlx::query(CLAIM)
        .bind(forge_claim.forge.as_str())
        .bind(ids.as_ref().map(|ids| ids.repository.as_str()))
        .bind(ids.as_ref().map(|ids| ids.owner.as_str()))
        .bind(repository_id)
        .execute(&mut *connection)
        .await?;
    Ok(())
}

fn ids_of(row: &sqlx::any::AnyRow) -> Result<Option<ForgeIds>, StoreError> {
    let repository: Option<String> = row.try_get("forge_repository_id")?;
    let owner: Option<String> = row.try_get("forge_owner_id")?;
    Ok(repository
        .zip(owner)
        .map(|(repository, owner)| ForgeIds { repository, owner }))
}
