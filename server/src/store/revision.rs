//! The revision of a record: it grows with each change of its lines, its parts, or what uploads say about its change. What is
//! derived from them is current if it was derived from the same revision.

use super::StoreError;
use sqlx::AnyConnection;

/// Notes a change, within the transaction that makes it.
pub(super) async fn next(connection: &mut AnyConnection, record_id: i64) -> Result<(), StoreError> {
    sqlx::query("update records set revision = revision + 1 where id = $1")
        .bind(record_id)
        .execute(&mut *connection)
        .await?;
    Ok(())
}
