//! The changes that a forge states for a commit whose jobs sent none.

use crate::{Flag, RecordKey, StoreError, Unsigned, Writer, run::Run};
use domain::CommitHash;
use sqlx::{AnyConnection, FromRow};

/// The changes of a commit's pull request, as the forge states them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForgeChanges {
    /// The changes, as [`lines::Changes::encode`] writes them; `None` if they are unknown.
    pub changes: Option<Vec<u8>>,
    /// The commit that the changes start from, if it is known.
    pub base_commit: Option<CommitHash>,
    /// The number of files that the changes lack.
    pub unknown_files: Option<u64>,
    /// Why files or all changes are missing.
    pub unknown_reason: Option<String>,
}

/// The stored changes of a commit before an upload of it.
#[derive(Clone, Debug, Default, FromRow, PartialEq, Eq)]
pub struct KnownChanges {
    /// The commit that the changes start from, as a job or the forge stated it.
    pub base_commit: Option<CommitHash>,
    /// Whether a job stated the tree of that commit.
    #[sqlx(try_from = "Flag")]
    pub has_base_tree: bool,
    /// Whether the changes are known for all files.
    #[sqlx(try_from = "Flag")]
    pub are_complete: bool,
}

/// Changes that a job sent stay, and so do complete changes that the forge stated before.
const UPDATE: &str = "
    update record_changes set
        changes = coalesce($2, changes), base_commit = coalesce(base_commit, $3), unknown_files = $4, unknown_reason = $5
    where record_id = $1 and (changes is null or unknown_files is not null and $6 = 1)";

/// Stores the changes that a forge states. Call it after storing the statements of the upload itself.
pub(super) async fn store(
    connection: &mut AnyConnection,
    record_id: i64,
    new: &ForgeChanges,
) -> Result<(), StoreError> {
    let values = (
        record_id,
        new.changes.as_deref(),
        new.base_commit.as_ref(),
        new.unknown_files.map(Unsigned),
        new.unknown_reason.as_deref(),
        i64::from(new.changes.is_some()),
    );
    connection.run(UPDATE, values).await
}

pub(crate) const KNOWN: &str = "
    select c.base_commit, case when c.base_tree is null then 0 else 1 end as has_base_tree,
        case when c.changes is null or c.unknown_files is not null then 0 else 1 end as are_complete
     from repositories p
     join branches b on b.repository_id = p.id
     join records r on r.branch_id = b.id
     join record_changes c on c.record_id = r.id
     where p.name_key = $1 and b.name = $2 and r.language = $3 and r.commit_hash = $4";

impl Writer<'_> {
    /// Returns the known changes of a commit.
    pub async fn known_changes(self, commit: RecordKey<'_>) -> Result<KnownChanges, StoreError> {
        let known: Option<KnownChanges> = self.store.first(KNOWN, [commit]).await?;
        Ok(known.unwrap_or_default())
    }
}
