//! The steps of a deletion, each within its transaction.

use super::target::{Kind, Target, of_target};
use crate::{
    Named, StoreError, Writer, counts, gates, names::stored_repository, orphaned_reports, run::Run,
};
use domain::Timestamp;
use sqlx::AnyConnection;

/// Report keys per query. With a limit, the memory does not grow with a repository.
const CHUNK: i64 = 500;

impl Writer<'_> {
    /// Returns the HTML reports of the deletion at this time that are not removed yet: the next ones after the key `after`.
    pub async fn reports_of_deletion(
        self,
        at: Timestamp,
        after: &str,
    ) -> Result<Vec<String>, StoreError> {
        const REPORTS: &str = "select key from orphaned_reports where marked_at = $1 and key > $2 order by key limit $3";
        self.store.values(REPORTS, (at.0, after, CHUNK)).await
    }
}

/// Marks the HTML reports for removal, including replaced reports of the same records. They have no grace period: a deletion is
/// final.
pub(super) async fn mark_reports(
    connection: &mut AnyConnection,
    target: &Target,
    at: Timestamp,
) -> Result<(), StoreError> {
    let released = of_target!(
        target,
        "update orphaned_reports set marked_at = $2, released_at = null
         where released_at is not null and record_id in (select r.id from records r where ",
        ")"
    );
    connection.run(released, (target.key, at.0)).await?;
    let of_parts = of_target!(
        target,
        "insert into orphaned_reports (key, since, marked_at)
         select q.report_key, $2, $2 from record_parts q
         where q.report_key is not null and q.record_id in (select r.id from records r where ",
        ") on conflict (key) do update set marked_at = excluded.marked_at, released_at = null"
    );
    connection.run(of_parts, (target.key, at.0)).await?;
    let reports = of_target!(
        target,
        "select r.id, r.report_key from records r where ",
        " and r.report_key is not null and r.id > $2 order by r.id limit $3"
    );
    let mut after = 0;
    loop {
        let some: Vec<(i64, String)> = connection.all(reports, (target.key, after, CHUNK)).await?;
        let Some((last, _)) = some.last() else {
            return Ok(());
        };
        after = *last;
        for (_, key) in &some {
            orphaned_reports::mark_deleted_at_once(connection, key, at).await?;
        }
    }
}

/// Removes links to the records from the ledger. For a repository, also removes its attempts: attempts with its records, under
/// any earlier name, and attempts with its name.
pub(super) async fn forget_in_ledger(
    connection: &mut AnyConnection,
    target: &Target,
) -> Result<(), StoreError> {
    const OF_RECORDS: &str = "
        delete from uploads where record_id in (select r.id from records r where r.repository_id = $1)";
    const ATTEMPTS: &str =
        "delete from uploads where lower(org_name) = lower($1) and lower(repo_name) = lower($2)";
    if target.kind != Kind::Repository {
        let links = of_target!(
            target,
            "update uploads set record_id = null where record_id in (select r.id from records r where ",
            ")"
        );
        return connection.run(links, [target.key]).await;
    }
    connection.run(OF_RECORDS, [target.repository_id]).await?;
    connection
        .run(ATTEMPTS, (&target.repository.org, &target.repository.repo))
        .await
}

pub(super) async fn delete_records(
    connection: &mut AnyConnection,
    target: &Target,
) -> Result<(), StoreError> {
    let delete = of_target!(target, "delete from records as r where ", "");
    connection.run(delete, [target.key]).await
}

pub(super) async fn delete_empty_branches(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    const DELETE: &str = "
        delete from branches
        where repository_id = $1 and not exists (select 1 from records r where r.branch_id = branches.id)";
    connection.run(DELETE, [repository_id]).await
}

/// Removes the gate of a deleted repository, unless another repository has the same name in another case. If a repository is
/// deleted because it lost its last record, the gate stays: a repository without uploads may have a gate.
pub(super) async fn delete_gate(
    connection: &mut AnyConnection,
    target: &Target,
) -> Result<(), StoreError> {
    if target.kind == Kind::Repository
        && stored_repository(connection, &target.repository)
            .await?
            .is_none()
    {
        let gate = Named::Repository(target.repository.clone());
        gates::delete(connection, &gate).await?;
    }
    Ok(())
}

/// Deletes a repository without records, and then its org if the org has no repositories.
pub(super) async fn delete_empty_repository(
    connection: &mut AnyConnection,
    target: &Target,
) -> Result<(), StoreError> {
    const EARLY_SKIPS: &str = "delete from early_skips where repository_key = $1";
    const REPOSITORY: &str = "delete from repositories where id = $1";
    connection
        .run(EARLY_SKIPS, [target.repository.key()])
        .await?;
    connection.run(REPOSITORY, [target.repository_id]).await?;
    counts::delete_empty_org(connection, &target.repository.org).await
}
