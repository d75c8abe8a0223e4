//! How many records repositories and organisations have: what the listing passes over is counted, not read. Every
//! transaction that adds or retires records keeps them.

use super::StoreError;
use sqlx::{AnyConnection, FromRow};

/// How many records there are more, or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// All of them.
    pub(super) records: i64,
    /// Those that are current.
    pub(super) current: i64,
}

#[derive(FromRow)]
struct Row {
    org_name: String,
    record_count: i64,
}

const OF_REPOSITORY: &str = "
    update repositories set record_count = record_count + $2, current_count = current_count + $3
    where id = $1
    returning org_name, record_count";

const OF_ORG: &str = "
    insert into orgs (org_name, record_count, current_count) values ($1, $2, $3)
    on conflict (org_name) do update set
        record_count = orgs.record_count + excluded.record_count,
        current_count = orgs.current_count + excluded.current_count";

/// Adds to the counts of a repository and its organisation, and returns the place of the repository's newest record.
pub(super) async fn add(
    connection: &mut AnyConnection,
    repository_id: i64,
    added: Counts,
) -> Result<i64, StoreError> {
    let row: Row = sqlx::query_as(OF_REPOSITORY)
        .bind(repository_id)
        .bind(added.records)
        .bind(added.current)
        .fetch_one(&mut *connection)
        .await?;
    // Others wait for this row until the transaction ends: they need not where nothing changes.
    if (added.records, added.current) != (0, 0) {
        sqlx::query(OF_ORG)
            .bind(row.org_name)
            .bind(added.records)
            .bind(added.current)
            .execute(&mut *connection)
            .await?;
    }
    Ok(row.record_count)
}
