//! The change that a commit makes, as uploads state it, and the coverage of its lines.

use super::{RecordLines, Store, StoreError};
use crate::text::chain;
use ::lines::Changes;
use domain::{
    BranchName, ChangedFile, ChangedLines, CommitHash, LineRange, PullRequest, RecordChanges,
    TreeHash,
};
use sqlx::{AnyConnection, FromRow};
use std::ops::RangeInclusive;
use tokio::task;

/// What an upload says about the change that its commit makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewChange {
    /// The pull request of the commit.
    pub pull_request: Option<PullRequest>,
    /// The branch that the pull request goes to.
    pub target_branch: Option<BranchName>,
    /// The commit that the changes start from.
    pub base_commit: Option<CommitHash>,
    /// The tree of that commit.
    pub base_tree: Option<TreeHash>,
    /// The tree that was measured.
    pub tree_hash: Option<TreeHash>,
    /// The changes, as [`Changes::encode`] writes them.
    pub changes: Option<Vec<u8>>,
}

/// Changes belong to the commit that they start from. What a pull request's job sent stays if a job of the branch sends
/// something else.
const UPSERT: &str = "
    insert into record_changes (record_id, pull_request, target_branch, base_commit, base_tree, tree_hash, changes)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (record_id) do update set
        pull_request = coalesce(excluded.pull_request, record_changes.pull_request),
        target_branch = coalesce(excluded.target_branch, record_changes.target_branch),
        base_commit = case when excluded.changes is null and excluded.base_commit is null
                           then record_changes.base_commit else excluded.base_commit end,
        base_tree = case when excluded.changes is null and excluded.base_tree is null
                         then record_changes.base_tree else excluded.base_tree end,
        tree_hash = coalesce(excluded.tree_hash, record_changes.tree_hash),
        changes = coalesce(excluded.changes, record_changes.changes)
    where excluded.pull_request is not null or record_changes.pull_request is null";

/// Stores what an upload says, within the transaction that publishes it.
pub(super) async fn store(
    connection: &mut AnyConnection,
    record_id: i64,
    new: &NewChange,
) -> Result<(), StoreError> {
    if *new == NewChange::default() {
        return Ok(());
    }
    sqlx::query(UPSERT)
        .bind(record_id)
        .bind(new.pull_request.as_ref().map(PullRequest::as_str))
        .bind(new.target_branch.as_ref().map(BranchName::as_str))
        .bind(new.base_commit.as_ref().map(CommitHash::as_str))
        .bind(lower_case(new.base_tree.as_ref()))
        .bind(lower_case(new.tree_hash.as_ref()))
        .bind(new.changes.as_deref())
        .execute(&mut *connection)
        .await?;
    Ok(())
}

/// Trees are compared as text.
fn lower_case(tree: Option<&TreeHash>) -> Option<String> {
    tree.map(|tree| tree.as_str().to_ascii_lowercase())
}

/// Removes what earlier uploads said.
pub(super) async fn forget(
    connection: &mut AnyConnection,
    record_id: i64,
) -> Result<(), StoreError> {
    sqlx::query("delete from record_changes where record_id = $1")
        .bind(record_id)
        .execute(&mut *connection)
        .await?;
    Ok(())
}

pub(super) const CHANGES: &str = "
    select c.base_commit, c.changes from records r
    left join record_changes c on c.record_id = r.id
    where r.id = $1";

#[derive(FromRow)]
struct Row {
    base_commit: Option<String>,
    changes: Option<Vec<u8>>,
}

impl Store {
    /// Returns the changed lines of a record; none if the record does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if its lines or changes are damaged, or when the database fails.
    pub async fn record_changes(&self, id: i64) -> Result<Option<RecordChanges>, StoreError> {
        let row: Option<Row> = sqlx::query_as(CHANGES)
            .bind(id)
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        let Some(blob) = row.changes else {
            return Ok(Some(RecordChanges::NotSent));
        };
        let base_commit = row.base_commit.and_then(|text| text.parse().ok());
        let lines = match self.record_lines(id).await? {
            Some(RecordLines::Kept { lines, .. }) => lines,
            Some(RecordLines::NotKept) | None => return Ok(Some(RecordChanges::NoLines)),
        };
        let measured = task::spawn_blocking(move || {
            let changes = Changes::decode(&blob)?;
            Ok(changed(base_commit, &changes.measured(&lines)))
        });
        let measured = measured.await.map_err(StoreError::Stopped)?;
        let known = measured.map_err(|source| StoreError::Lines { record: id, source })?;
        Ok(Some(RecordChanges::Known(known)))
    }
}

impl Store {
    /// The same for an answer that says other things too: damaged lines or changes are logged, and count as lines that are not kept.
    pub(super) async fn changes_beside(&self, id: i64) -> Result<RecordChanges, StoreError> {
        match self.record_changes(id).await {
            Ok(known) => Ok(known.unwrap_or(RecordChanges::NotSent)),
            Err(error @ StoreError::Lines { .. }) => {
                let cause = chain(&error);
                tracing::error!(cause, "an answer says nothing about changed lines");
                Ok(RecordChanges::NoLines)
            }
            Err(error) => Err(error),
        }
    }
}

fn changed(base_commit: Option<CommitHash>, measured: &::lines::ChangedLines<'_>) -> ChangedLines {
    let counts = measured.counts();
    let files = measured.files.iter().map(|file| ChangedFile {
        path: file.path.to_owned(),
        old_path: file.old_path.map(ToOwned::to_owned),
        covered: file.counts.covered(),
        coverable: file.counts.coverable(),
        missed: ranges(&file.missed),
        partial: ranges(&file.partial),
    });
    ChangedLines {
        base_commit,
        covered: counts.covered(),
        coverable: counts.coverable(),
        files: files.collect(),
        unmeasured: measured
            .unmeasured
            .iter()
            .map(|&path| path.to_owned())
            .collect(),
    }
}

fn ranges(ranges: &[RangeInclusive<u32>]) -> Vec<LineRange> {
    ranges
        .iter()
        .map(|range| (*range.start(), *range.end()))
        .collect()
}
