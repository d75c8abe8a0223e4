//! The forge that a repository belongs to, and the ids that the forge has for it.
//!
//! Names are unique within one forge only: a repository with the same name on another forge is a different repository. Within a
//! forge, someone else may register a name that was given up.

use super::{
    Flag, Operator, StoreError, Writer,
    audit::{self, AuditChange},
};
use crate::{actor::Actor, run::Run};
use domain::{AuditAction, Repository};
use sqlx::{AnyConnection, FromRow};

/// A forge that has authorized an upload, and the ownership at the time of the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeClaim {
    /// The forge.
    pub forge: String,
    /// The forge that the repository belonged to at the time of the check. If it has changed since, the check is no longer valid.
    pub seen: Option<String>,
    /// How the forge authorized the upload.
    pub by: ClaimedBy,
}

/// How a forge authorizes an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimedBy {
    /// By a token, which contains no ids.
    Token,
    /// By an OIDC identity token, with the forge's ids of the repository, if any.
    Identity(Option<ForgeIds>),
}

/// The ids of a repository and its owner on a forge. The forge never reuses them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeIds {
    /// The id of the repository.
    pub repository: String,
    /// The id of the org, group or person that owns it.
    pub owner: String,
}

/// The columns of [`ForgeIds`]; both are null if no identity has set them.
#[derive(FromRow)]
struct IdColumns {
    forge_repository_id: Option<String>,
    forge_owner_id: Option<String>,
}

impl From<IdColumns> for Option<ForgeIds> {
    fn from(columns: IdColumns) -> Self {
        let ids = columns.forge_repository_id.zip(columns.forge_owner_id);
        ids.map(|(repository, owner)| ForgeIds { repository, owner })
    }
}

/// The stored ownership of a repository.
#[derive(Clone, Debug, Default, FromRow, PartialEq, Eq)]
pub struct Ownership {
    /// The forge that the repository belongs to; `None` if only tokens of this service were used.
    pub forge: Option<String>,
    /// The ids in the first identity.
    #[sqlx(flatten, try_from = "IdColumns")]
    pub ids: Option<ForgeIds>,
    /// Whether the repository has records.
    #[sqlx(try_from = "Flag")]
    pub has_records: bool,
}

impl Ownership {
    /// Whether `forge` names this repository: the ids of an identity must equal the ids in the first identity.
    pub fn is_meant(&self, forge: &str, by: &ClaimedBy) -> bool {
        match (&self.ids, by) {
            (Some(pinned), ClaimedBy::Identity(ids)) if self.forge.as_deref() == Some(forge) => {
                ids.as_ref() == Some(pinned)
            }
            _ => true,
        }
    }
}

pub(super) const FORGE: &str =
    "select coalesce(p.forge, p.reporting_forge) from repositories p where p.name_key = $1";

#[derive(FromRow)]
struct Pinned {
    id: i64,
    #[sqlx(flatten)]
    stored: Repository,
    #[sqlx(flatten, try_from = "IdColumns")]
    ids: Option<ForgeIds>,
}

impl Writer<'_> {
    /// Returns the stored ownership of a repository.
    pub async fn ownership(self, repository: &Repository) -> Result<Ownership, StoreError> {
        const OWNERSHIP: &str = "select p.forge, p.forge_repository_id, p.forge_owner_id,
                   case when exists (select 1 from records r where r.repository_id = p.id) then 1 else 0 end as has_records
            from repositories p where p.name_key = $1";
        let stored = self.store.first(OWNERSHIP, [repository.key()]).await?;
        Ok(stored.unwrap_or_default())
    }

    /// Returns the forge of a repository: the forge that authorized an upload, otherwise the forge where statuses were written.
    pub async fn forge_of(self, repository: &Repository) -> Result<Option<String>, StoreError> {
        let forge: Option<Option<String>> =
            self.store.first_value(FORGE, [repository.key()]).await?;
        Ok(forge.flatten())
    }

    /// Stores the forge where the status of an upload was written, for uploads with a token of this service.
    pub async fn keep_reporting_forge(
        self,
        repository: &Repository,
        forge: &str,
    ) -> Result<(), StoreError> {
        const KEEP: &str = "
            update repositories set reporting_forge = $2
            where id = (select k.id from repositories k where k.name_key = $1)";
        if self.forge_of(repository).await?.as_deref() == Some(forge) {
            return Ok(());
        }
        self.store
            .write(|pool| pool.run(KEEP, (repository, forge)))
            .await
    }
}

impl Operator<'_> {
    /// Removes the stored ids of a repository: the next identity sets them again. Returns the removed ids, if any; `None` if the
    /// repository has no uploads.
    pub async fn unpin_identity(
        self,
        repository: &Repository,
        by: &Actor,
    ) -> Result<Option<Option<ForgeIds>>, StoreError> {
        const PINNED: &str = "
            select p.id, p.org_name, p.repo_name, p.forge_repository_id, p.forge_owner_id from repositories p
            where p.name_key = $1";
        const UNPIN: &str = "
            update repositories set forge_repository_id = null, forge_owner_id = null where id = $1";
        let mut transaction = self.store.begin().await?;
        let pinned = transaction.first(PINNED, [repository.key()]).await?;
        let Some(Pinned { id, stored, ids }) = pinned else {
            return transaction.unchanged(None).await;
        };
        transaction.run(UNPIN, [id]).await?;
        if let Some(ids) = &ids {
            let change =
                AuditChange::of(AuditAction::IdentityUnpinned, &stored, "identity").before(
                    format!("repository {} of owner {}", ids.repository, ids.owner),
                );
            audit::write(&mut transaction, by, &change).await?;
        }
        transaction.commit().await?;
        Ok(Some(ids))
    }
}

/// Stores the ownership of a repository, within the transaction that writes to it.
///
/// # Errors
///
/// [`StoreError::OtherForge`] if another forge has claimed the repository since the check, and [`StoreError::OtherIdentity`] if
/// an identity with other ids has.
pub(super) async fn claim(
    connection: &mut AnyConnection,
    repository_id: i64,
    forge_claim: Option<&ForgeClaim>,
) -> Result<(), StoreError> {
    const STORED: &str = "
        select forge, forge_repository_id, forge_owner_id, 1 as has_records from repositories where id = $1";
    const CLAIM: &str = "
        update repositories set forge = $1, forge_repository_id = $2, forge_owner_id = $3 where id = $4";
    let Some(forge_claim) = forge_claim else {
        return Ok(());
    };
    let stored: Ownership = connection.one(STORED, [repository_id]).await?;
    let is_same = stored.forge.as_ref() == Some(&forge_claim.forge);
    if !is_same && stored.forge != forge_claim.seen {
        return Err(StoreError::OtherForge(stored.forge.unwrap_or_default()));
    }
    if !stored.is_meant(&forge_claim.forge, &forge_claim.by) {
        return Err(StoreError::OtherIdentity);
    }
    let claimed = match &forge_claim.by {
        ClaimedBy::Identity(ids) => ids.clone(),
        ClaimedBy::Token => None,
    };
    // The ids of one forge have no meaning on another.
    let ids = claimed.or(stored.ids.clone().filter(|_| is_same));
    if is_same && ids == stored.ids {
        return Ok(());
    }
    let values = (
        &forge_claim.forge,
        ids.as_ref().map(|ids| ids.repository.as_str()),
        ids.as_ref().map(|ids| ids.owner.as_str()),
        repository_id,
    );
    connection.run(CLAIM, values).await
}
