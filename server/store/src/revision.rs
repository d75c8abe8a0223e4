//! The revision of a record: it grows with each change of its lines, its parts, or the uploads' statements about its change.
//! Derived data is current if it was derived from the same revision.

use super::StoreError;
use crate::run::Run;
use sqlx::AnyConnection;

/// Increments the revision, within the transaction that has made a change, and measures the record.
pub(super) async fn next(connection: &mut AnyConnection, record_id: i64) -> Result<(), StoreError> {
    const GROW: &str = "update records set revision = revision + 1 where id = $1";
    connection.run(GROW, [record_id]).await?;
    measure(connection, record_id).await
}

/// The bytes of the lines with their history, lists of files and changes of a row of `records`. Texts of source files belong to the
/// repository.
macro_rules! bytes_in_database {
    () => {
        "coalesce((select length(l.lines) + coalesce(length(l.branches), 0) + coalesce(length(l.tests), 0) from record_lines l where l.record_id = records.id), 0)
         + coalesce((select sum(coalesce(length(q.lines), 0) + coalesce(length(q.branches), 0) + coalesce(length(q.tests), 0)) from record_parts q where q.record_id = records.id), 0)
         + coalesce((select sum(length(k.lines)) from carried_parts k where k.record_id = records.id), 0)
         + coalesce((select length(d.files) from record_details d where d.record_id = records.id), 0)
         + coalesce((select length(c.changes) from record_changes c where c.record_id = records.id), 0)
         + coalesce((select length(o.owners) from record_owners o where o.record_id = records.id), 0)
         + coalesce((select sum(length(s.paths) + length(s.texts)) from record_sources s where s.record_id = records.id), 0)
         + coalesce((select length(h.history) + length(h.counts) from record_histories h where h.record_id = records.id), 0)"
    };
}

/// Stores the size of a record's data in the database.
pub(super) const MEASURE: &str = concat!(
    "update records set database_bytes = ",
    bytes_in_database!(),
    " where id = $1"
);

pub(super) async fn measure(
    connection: &mut AnyConnection,
    record_id: i64,
) -> Result<(), StoreError> {
    connection.run(MEASURE, [record_id]).await
}

/// Stores the sizes of all records of a repository.
pub(super) async fn measure_all(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    const MEASURE: &str = concat!(
        "update records set database_bytes = ",
        bytes_in_database!(),
        " where repository_id = $1"
    );
    connection.run(MEASURE, [repository_id]).await
}
