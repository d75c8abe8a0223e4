//! Transactions that write: how they begin, and how they end.

use super::StoreError;
use sqlx::{Any, AnyConnection, Connection, Transaction, pool::PoolConnection};

/// Begins a transaction.
///
/// What must not be done twice at once is guarded by the row of its repository, which every transaction that writes to it
/// changes first: on PostgreSQL others wait for that row, on SQLite they wait for the whole database.
pub(super) async fn begin(
    connection: &mut AnyConnection,
) -> Result<Transaction<'_, Any>, StoreError> {
    let begin = match connection.backend_name() {
        // Takes the write lock at once: a transaction that reads first and writes later cannot wait for it.
        "SQLite" => "begin immediate",
        _ => "begin",
    };
    Ok(connection.begin_with(begin).await?)
}

/// Gives the connection back, or closes it where its transaction failed.
///
/// SQLite ends a transaction by itself when its disk is full or fails, and sqlx does not hear of it: it would take every
/// later one on that connection for a part of the one that is no more, and refuse it.
pub(super) async fn settle<T>(
    connection: PoolConnection<Any>,
    written: Result<T, StoreError>,
) -> Result<T, StoreError> {
    if written.is_err()
        && let Err(error) = connection.close().await
    {
        tracing::debug!(%error, "the connection of a failed transaction did not close in order");
    }
    written
}
