//! The revision of a record: it grows with each change of its lines, its parts, or what uploads say about its change. What is
//! derived from them is current if it was derived from the same revision.

use super::StoreError;
use sqlx::AnyConnection;

/// Notes a change, within the transaction that has made it, and measures the record.
pub(super) async fn next(connection: &mut AnyConnection, record_id: i64) -> Result<(), StoreError> {
    sqlx::query("update records set revision = revision + 1 where id = $1")
        .bind(record_id)
        .execute(&mut *connection)
        .await?;
    measure(connection, record_id).await
}

/// Stores how many bytes the lines, lists of files and changes of a record have.
pub(super) async fn measure(
    connection: &mut AnyConnection,
    record_id: i64,
) -> Result<(), StoreError> {
    const MEASURE: &str = "
        update records set database_bytes =
            coalesce((select length(l.lines) from record_lines l where l.record_id = records.id), 0)
            + coalesce((select sum(length(q.lines)) from record_parts q where q.record_id = records.id), 0)
            + coalesce((select sum(length(k.lines)) from carried_parts k where k.record_id = records.id), 0)
            + coalesce((select length(d.files) from record_details d where d.record_id = records.id), 0)
            + coalesce((select length(c.changes) from record_changes c where c.record_id = records.id), 0)
        where id = $1";
    sqlx::query(MEASURE)
        .bind(record_id)
        .execute(&mut *connection)
        .await?;
    Ok(())
}
