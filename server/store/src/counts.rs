//! The number of records of repositories and orgs, so that the listing can skip rows without reading them. Every
//! transaction that adds or retires records updates them.

use super::StoreError;
use crate::run::Run;
use domain::OrgName;
use sqlx::{AnyConnection, FromRow};
use std::ops::Sub;

/// The number of records, or a difference of two such numbers.
#[derive(Clone, Copy, Debug, FromRow, PartialEq, Eq)]
pub(super) struct Counts {
    #[sqlx(rename = "record_count")]
    pub(super) records: i64,
    #[sqlx(rename = "current_count")]
    pub(super) current: i64,
}

impl Sub for Counts {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            records: self.records - other.records,
            current: self.current - other.current,
        }
    }
}

pub(super) async fn of(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<Counts, StoreError> {
    const COUNTS: &str = "select record_count, current_count from repositories where id = $1";
    connection.one(COUNTS, [repository_id]).await
}

/// Adds to the counts of a repository and its org. Returns the place of the repository's newest record.
pub(super) async fn add(
    connection: &mut AnyConnection,
    repository_id: i64,
    added: Counts,
) -> Result<i64, StoreError> {
    let place = add_to_repository(connection, repository_id, added).await?;
    add_to_org(connection, repository_id, added).await?;
    Ok(place)
}

/// Like [`add`], without the counts of the org, whose row other transactions wait for.
pub(super) async fn add_to_repository(
    connection: &mut AnyConnection,
    repository_id: i64,
    added: Counts,
) -> Result<i64, StoreError> {
    const ADD: &str = "
        update repositories set record_count = record_count + $2, current_count = current_count + $3
        where id = $1
        returning record_count";
    let values = (repository_id, added.records, added.current);
    connection.value(ADD, values).await
}

pub(super) async fn add_to_org(
    connection: &mut AnyConnection,
    repository_id: i64,
    added: Counts,
) -> Result<(), StoreError> {
    const ADD: &str = "
        insert into orgs (org_name, record_count, current_count)
        select p.org_name, $2, $3 from repositories p where p.id = $1
        on conflict (org_name) do update set
            record_count = orgs.record_count + excluded.record_count,
            current_count = orgs.current_count + excluded.current_count";
    // Other transactions wait for this row until this one ends, so do not lock it if nothing changes.
    if (added.records, added.current) != (0, 0) {
        let values = (repository_id, added.records, added.current);
        connection.run(ADD, values).await?;
    }
    Ok(())
}

pub(super) async fn add_to_named_org(
    connection: &mut AnyConnection,
    org: &str,
    added: Counts,
) -> Result<(), StoreError> {
    const ADD: &str = "
        insert into orgs (org_name, record_count, current_count) values ($1, $2, $3)
        on conflict (org_name) do update set
            record_count = orgs.record_count + excluded.record_count,
            current_count = orgs.current_count + excluded.current_count";
    connection
        .run(ADD, (org, added.records, added.current))
        .await
}

/// Deletes an org without records and repositories. If its count is wrong, it stays until `verify --repair` corrects the count.
pub(super) async fn delete_empty_org(
    connection: &mut AnyConnection,
    org: &OrgName,
) -> Result<(), StoreError> {
    // PostgreSQL checks the count again if another transaction changes it meanwhile, but not the subquery.
    const DELETE: &str = "
        delete from orgs
        where org_name = $1 and record_count = 0
          and not exists (select 1 from repositories p where p.org_name = orgs.org_name)";
    connection.run(DELETE, [org.as_str()]).await
}

/// Recomputes the places of a repository's records and all counts of the repository. Adds the difference to the counts of its
/// org, because the org has other repositories too. A branch counts confirmed records only.
pub(super) async fn recount(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    const STATEMENTS: [&str; 3] = [
        "update records set place = n.place
         from (select r.id, row_number() over (order by r.created_at, r.id) as place
               from records r where r.repository_id = $1) n
         where n.id = records.id and records.place <> n.place",
        "update branches set record_count = (select count(*) from records r
                             where r.branch_id = branches.id and r.unconfirmed_at is null)
         where repository_id = $1",
        "update repositories set
             record_count = (select count(*) from records r where r.repository_id = repositories.id),
             current_count = (select count(*) from records r
                              where r.repository_id = repositories.id and r.superseded_at is null)
         where id = $1",
    ];
    let before = of(connection, repository_id).await?;
    for statement in STATEMENTS {
        connection.run(statement, [repository_id]).await?;
    }
    let after = of(connection, repository_id).await?;
    add_to_org(connection, repository_id, after - before).await
}
