//! Reads and writes the rows of `carried_parts`.

use super::NewCarried;
use crate::{Store, StoreError, run::Run};
use domain::CarriedPart;
use sqlx::AnyConnection;

pub(crate) const OF_RECORD: &str = "
    select k.part, s.id as record_id, k.source_commit as commit_hash, k.measured_at from carried_parts k
    left join records s on s.id = k.source_id
    where k.record_id = $1 order by k.part";

/// Replaces the parts that a record carries, within the transaction that publishes the record.
pub(crate) async fn store(
    connection: &mut AnyConnection,
    record_id: i64,
    carried: &[NewCarried],
) -> Result<(), StoreError> {
    const INSERT: &str = "
        insert into carried_parts (record_id, part, source_id, source_commit, measured_at, covered, coverable, lines)
        values ($1, $2, $3, $4, $5, $6, $7, $8)";
    sqlx::query("delete from carried_parts where record_id = $1")
        .bind(record_id)
        .execute(&mut *connection)
        .await?;
    let number = |lines: u64| i64::try_from(lines).unwrap_or(i64::MAX);
    for NewCarried { part, lines } in carried {
        let Some(source) = part.record_id else {
            continue;
        };
        sqlx::query(INSERT)
            .bind(record_id)
            .bind(&part.name)
            .bind(source)
            .bind(&part.commit)
            .bind(part.measured_at)
            .bind(number(lines.covered))
            .bind(number(lines.coverable))
            .bind(&lines.encoded)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

pub(crate) async fn of_record(
    store: &Store,
    record_id: i64,
) -> Result<Vec<CarriedPart>, StoreError> {
    store.all(OF_RECORD, (record_id,)).await
}
