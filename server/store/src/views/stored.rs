//! The CODEOWNERS files of records.

use crate::{StoreError, revision, run::Run};
use sqlx::AnyConnection;

/// How many CODEOWNERS files of a branch and language are kept: if records are deleted, the file of an earlier record counts again.
const KEPT: i64 = 3;

/// Stores the packed CODEOWNERS file of an upload, within the transaction that publishes it. An upload without a file does not change
/// the file of other parts.
pub(crate) async fn store_owners(
    connection: &mut AnyConnection,
    record_id: i64,
    owners: Option<&[u8]>,
) -> Result<(), StoreError> {
    const UPSERT: &str = "
        insert into record_owners (record_id, owners) values ($1, $2)
        on conflict (record_id) do update set owners = excluded.owners";
    const FORGET: &str = "
        delete from record_owners where record_id in (
            select o.record_id from records r
            join records e on e.branch_id = r.branch_id and e.language = r.language and e.superseded_at is not null
            join record_owners o on o.record_id = e.id
            where r.id = $1 and e.id <> $1
            order by e.updated_at desc, e.id desc limit 1000 offset $2)";
    let Some(owners) = owners else { return Ok(()) };
    connection.run(UPSERT, (record_id, owners)).await?;
    connection.run(FORGET, (record_id, KEPT - 1)).await?;
    revision::measure(connection, record_id).await
}

/// Removes the files of earlier uploads.
pub(crate) async fn forget_owners(
    connection: &mut AnyConnection,
    record_id: i64,
) -> Result<(), StoreError> {
    const DELETE: &str = "delete from record_owners where record_id = $1";
    connection.run(DELETE, [record_id]).await
}
