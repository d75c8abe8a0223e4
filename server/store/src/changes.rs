//! The change of a commit as uploads state it, and the coverage of its lines.

pub(super) mod of_forge;

pub use of_forge::{ForgeChanges, KnownChanges};

use super::{Reader, StoreError, revision, run::Run, views::ViewFiles};
use crate::blocking::blocking;
use domain::{BranchName, ChangedLines, CommitHash, PullRequest, RecordChanges, TreeHash};
use sqlx::AnyConnection;

/// The change of a commit as an upload states it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewChange {
    /// The pull request of the commit.
    pub pull_request: Option<PullRequest>,
    /// The target branch of the pull request.
    pub target_branch: Option<BranchName>,
    /// The commit that the changes start from.
    pub base_commit: Option<CommitHash>,
    /// The tree of the base commit.
    pub base_tree: Option<TreeHash>,
    /// The measured tree.
    pub tree_hash: Option<TreeHash>,
    /// The measured commit, if it differs from the record's.
    pub measured_commit: Option<CommitHash>,
    /// The changes, as [`lines::Changes::encode`] writes them.
    pub changes: Option<Vec<u8>>,
    /// The changes that the forge states, if the job sent none.
    pub of_forge: Option<ForgeChanges>,
}

/// Changes belong to the commit that they start from. A statement by the job of a pull request is not replaced by a statement by
/// a job of the branch.
const UPSERT: &str = "
    insert into record_changes (
        record_id, pull_request, target_branch, base_commit, base_tree, tree_hash, changes, measured_commit
    ) values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (record_id) do update set
        pull_request = coalesce(excluded.pull_request, record_changes.pull_request),
        target_branch = coalesce(excluded.target_branch, record_changes.target_branch),
        base_commit = case when excluded.changes is null and excluded.base_commit is null
                           then record_changes.base_commit else excluded.base_commit end,
        base_tree = case when excluded.changes is null and excluded.base_tree is null
                         then record_changes.base_tree else excluded.base_tree end,
        tree_hash = coalesce(excluded.tree_hash, record_changes.tree_hash),
        changes = coalesce(excluded.changes, record_changes.changes),
        measured_commit = coalesce(excluded.measured_commit, record_changes.measured_commit),
        unknown_files = case when excluded.changes is null then record_changes.unknown_files end,
        unknown_reason = case when excluded.changes is null then record_changes.unknown_reason end
    where excluded.pull_request is not null or record_changes.pull_request is null";

/// Stores the change that an upload states, within the transaction that publishes the upload.
pub(super) async fn store(
    connection: &mut AnyConnection,
    record_id: i64,
    new: &NewChange,
) -> Result<(), StoreError> {
    if *new == NewChange::default() {
        return Ok(());
    }
    let values = (
        record_id,
        new.pull_request.as_ref(),
        new.target_branch.as_ref(),
        new.base_commit.as_ref(),
        lower_case(new.base_tree.as_ref()),
        lower_case(new.tree_hash.as_ref()),
        new.changes.as_deref(),
        new.measured_commit.as_ref(),
    );
    connection.run(UPSERT, values).await?;
    if let Some(of_forge) = &new.of_forge {
        of_forge::store(connection, record_id, of_forge).await?;
    }
    revision::next(connection, record_id).await
}

/// Trees are compared as text, so they need one spelling.
fn lower_case(tree: Option<&TreeHash>) -> Option<String> {
    tree.map(|tree| tree.as_str().to_ascii_lowercase())
}

/// Removes the statements of earlier uploads.
pub(super) async fn forget(
    connection: &mut AnyConnection,
    record_id: i64,
) -> Result<(), StoreError> {
    const DELETE: &str = "delete from record_changes where record_id = $1";
    connection.run(DELETE, [record_id]).await?;
    revision::next(connection, record_id).await
}

pub(super) const SENT: &str = "
    select case when c.changes is null then 0 else 1 end as has_changes, c.unknown_reason from records r
    left join record_changes c on c.record_id = r.id
    where r.id = $1";

impl Reader {
    /// Returns the changed lines of a record, only of files in `view`, if given; `None` if the record does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if its lines or changes are damaged.
    pub async fn record_changes(
        &self,
        id: i64,
        view: Option<ViewFiles>,
    ) -> Result<Option<RecordChanges>, StoreError> {
        let Some(store) = self.sees_record(id).await? else {
            return Ok(None);
        };
        let sent: Option<(i64, Option<String>)> = store.first(SENT, [id]).await?;
        let Some((has_changes, unknown_reason)) = sent else {
            return Ok(None);
        };
        if has_changes == 0 {
            return Ok(Some(known(false, unknown_reason, None)));
        }
        let Some(record) = store.analysis_of(id).await? else {
            return Ok(None);
        };
        let changed = record.analysis.changed;
        let changed = match view {
            Some(view) => {
                let in_view = move |changed: ChangedLines| {
                    changed.of_files(|path| view.has(path) == Some(true))
                };
                blocking(move || changed.map(in_view)).await?
            }
            None => changed,
        };
        Ok(Some(known(true, unknown_reason, changed)))
    }
}

/// The state of knowledge about the changed lines of a record. `unknown_reason` states why the forge did not state all of them.
pub(super) fn known(
    has_changes: bool,
    unknown_reason: Option<String>,
    changed: Option<ChangedLines>,
) -> RecordChanges {
    match (has_changes, changed) {
        (true, Some(changed)) => RecordChanges::Known(changed),
        (true, None) => RecordChanges::NoLines,
        (false, _) => unknown_reason.map_or(RecordChanges::NotSent, RecordChanges::Unknown),
    }
}
