//! The summary table of current records on main branches, which lists of repositories read. Every transaction that
//! changes its contents updates it before it ends.

#[cfg(test)]
pub(super) mod tests;
pub(crate) mod week_ago;

use super::{
    StoreError, main_branch,
    main_days::{self, Changed},
    run::Run,
};
use sqlx::AnyConnection;

/// The correct summary of the repository `p`. The migrations that created its columns have the same query.
macro_rules! main_records {
    () => {
        "select p.id as repository_id, r.language, p.org_name, p.repo_name, r.branch_id, r.id as record_id, r.percentage_basis_points,
                (select h.percentage_basis_points from records h
                 where h.branch_id = r.branch_id and h.language = r.language and h.id <> r.id
                   and h.unconfirmed_at is null
                 order by h.updated_at desc limit 1) as percentage_before,
                r.lines_covered, r.lines_total, r.branches_covered, r.branches_total, r.functions_covered, r.functions_total,
                r.updated_at
         from repositories p
         join records r on r.branch_id = p.main_branch_id and r.superseded_at is null"
    };
}

/// The columns of [`main_records!`], in its order: copies of other tables.
macro_rules! copied {
    () => {
        "repository_id, language, org_name, repo_name, branch_id, record_id, percentage_basis_points, percentage_before,
         lines_covered, lines_total, branches_covered, branches_total, functions_covered, functions_total, updated_at"
    };
}

pub(super) use {copied, main_records};

const CLEAR: &str = "delete from main_records where repository_id = $1";

pub(super) const FILL: &str = concat!(
    "insert into main_records (",
    copied!(),
    ") ",
    main_records!(),
    " where p.id = $1"
);

pub(super) async fn refresh(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    refresh_changed(connection, repository_id, None).await
}

/// Like `refresh`, but nothing of the history of the main branch has changed except this.
pub(super) async fn refresh_changed(
    connection: &mut AnyConnection,
    repository_id: i64,
    changed: Option<Changed<'_>>,
) -> Result<(), StoreError> {
    main_branch::find(connection, repository_id).await?;
    summarise(connection, repository_id, changed).await
}

/// Like `refresh`, but after an upload to `branch_id`: the cost does not grow with the repository's branches, nor with its history.
pub(super) async fn refresh_after_upload(
    connection: &mut AnyConnection,
    (repository_id, branch_id): (i64, i64),
    changed: Changed<'_>,
) -> Result<(), StoreError> {
    let main = main_branch::find_after_upload(connection, repository_id, branch_id).await?;
    if main.is_some_and(|main| main != branch_id) {
        // Another branch is the main branch, so the summary does not change.
        return Ok(());
    }
    summarise(connection, repository_id, Some(changed)).await
}

/// Removes a repository's summary and its main branch, so that its records and branches can be deleted or moved.
/// [`refresh`] sets both again.
pub(super) async fn clear(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    const NO_MAIN_BRANCH: &str = "update repositories set main_branch_id = null where id = $1";
    for statement in [CLEAR, NO_MAIN_BRANCH] {
        connection.run(statement, [repository_id]).await?;
    }
    main_days::clear(connection, repository_id).await
}

async fn summarise(
    connection: &mut AnyConnection,
    repository_id: i64,
    changed: Option<Changed<'_>>,
) -> Result<(), StoreError> {
    for statement in [CLEAR, FILL] {
        connection.run(statement, [repository_id]).await?;
    }
    week_ago::renew(connection, repository_id, week_ago::moment()).await?;
    main_days::renew(connection, repository_id, changed).await
}
