//! Deletes a record, a branch or a repository, in one transaction. Afterwards, all data derived from records (current records,
//! places, counts, summaries) is as if the deleted records had never been uploaded.

mod author;
mod steps;
mod target;
#[cfg(test)]
mod tests;
mod thrown_out;

use super::{
    Operator, Scope, StoreError, Unsigned,
    audit::{self, AuditChange},
    counts, holding, main_records,
    standing::make_newest_current,
    time::next_moment,
};
use crate::actor::Actor;
use domain::{BranchName, Deletable, Repository, Timestamp};
use sqlx::AnyConnection;
use target::Target;

/// The target of a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// The record with this id.
    Record(i64),
    /// A branch with all of its records.
    Branch(Repository, BranchName),
    /// A repository with all of its records and branches and its rows in the ledger.
    Repository(Repository),
}

/// The result of a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deleted {
    /// The deleted data, with its counts.
    pub what: Deletable,
    /// The time under which the HTML reports are marked for removal.
    pub at: Timestamp,
    /// The record that replaces the deleted one as the current record.
    pub now_current: Option<i64>,
    /// The number of records left in the repository; if it is 0, the repository is deleted too.
    pub left: u64,
}

impl Operator<'_> {
    /// Returns what a deletion would delete; `None` if the target does not exist.
    pub async fn deletable(self, what: &Deletion) -> Result<Option<Deletable>, StoreError> {
        let mut connection = self.store.read_pool.acquire().await?;
        let Some(target) = Target::find(&mut connection, what).await? else {
            return Ok(None);
        };
        Ok(Some(target.counted(&mut connection).await?))
    }

    /// Deletes a target in `scopes`; `None` if it does not exist. The caller then removes the HTML reports from the storage
    /// ([`Writer::reports_of_deletion`](crate::Writer::reports_of_deletion)); otherwise the next sweep removes them.
    ///
    /// If a current record is deleted, the newest remaining record of its branch and language becomes current. A retired branch
    /// stays retired.
    pub async fn delete(
        self,
        what: &Deletion,
        scopes: &[Scope],
        by: &Actor,
    ) -> Result<Option<Deleted>, StoreError> {
        let mut transaction = self.store.begin().await?;
        // Records outside the scopes count as missing: otherwise the id of a record would reveal its repository.
        let found = find_alone(&mut transaction, what).await?;
        let Some(target) = found.filter(|target| {
            let mut scopes = scopes.iter();
            scopes.any(|scope| scope.covers(&target.repository))
        }) else {
            return transaction.unchanged(None).await;
        };
        let (at, counted) = (next_moment(), target.counted(&mut transaction).await?);
        let (now_current, left) = remove(&mut transaction, &target, at).await?;
        let change = AuditChange::of(target.action, &target.repository, &counted.subject)
            .before(target.before(&counted))
            .after("deleted");
        audit::write(&mut transaction, by, &change).await?;
        transaction.commit().await?;
        Ok(Some(Deleted {
            what: counted,
            at,
            now_current,
            left: Unsigned::from(left).into(),
        }))
    }
}

/// Deletes a target. Returns the record that replaces it as the current record, and the number of records left in the repository.
async fn remove(
    connection: &mut AnyConnection,
    target: &Target,
    at: Timestamp,
) -> Result<(Option<i64>, i64), StoreError> {
    let repository_id = target.repository_id;
    steps::mark_reports(connection, target, at).await?;
    steps::forget_in_ledger(connection, target).await?;
    main_records::clear(connection, repository_id).await?;
    steps::delete_records(connection, target).await?;
    let now_current = match &target.current_of {
        Some((branch_id, language)) => {
            make_newest_current(connection, *branch_id, language).await?
        }
        None => None,
    };
    steps::delete_empty_branches(connection, repository_id).await?;
    counts::recount(connection, repository_id).await?;
    let left = counts::of(connection, repository_id).await?.records;
    if left == 0 {
        steps::delete_empty_repository(connection, target).await?;
        steps::delete_gate(connection, target).await?;
    } else {
        main_records::refresh(connection, repository_id).await?;
    }
    Ok((now_current, left))
}

/// Returns the target with its repository locked. Searches again after the lock, because the target may have changed before.
async fn find_alone(
    connection: &mut AnyConnection,
    what: &Deletion,
) -> Result<Option<Target>, StoreError> {
    let Some(seen) = Target::find(connection, what).await? else {
        return Ok(None);
    };
    // Until the lock, another repository may get the key of this one.
    holding::lock(connection, &[&seen.repository.org]).await?;
    holding::hold_id(connection, seen.repository_id).await?;
    let found = Target::find(connection, what).await?;
    Ok(found.filter(|found| found.repository_id == seen.repository_id))
}
