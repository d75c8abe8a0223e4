//! Begins and ends write transactions.

use super::StoreError;
use sqlx::{Any, AnyConnection, Connection, Transaction, pool::PoolConnection};
use std::sync::atomic::{AtomicU64, Ordering};

static ENDED: AtomicU64 = AtomicU64::new(0);

/// The number of write transactions of this process that have ended, in any database.
pub(super) fn ended() -> u64 {
    ENDED.load(Ordering::Acquire)
}

/// Begins a transaction.
///
/// The row of a repository guards against concurrent writes: every transaction that writes to a repository updates this row
/// first. On PostgreSQL, others wait for this row, on SQLite for the whole database.
pub(super) async fn begin(
    connection: &mut AnyConnection,
) -> Result<Transaction<'_, Any>, StoreError> {
    let begin = match connection.backend_name() {
        // This takes the write lock immediately: a transaction that reads first cannot wait for the lock later.
        "SQLite" => "begin immediate",
        _ => "begin",
    };
    Ok(connection.begin_with(begin).await?)
}

/// Returns the connection to the pool, or closes it if its transaction failed.
///
/// SQLite ends a transaction itself when its disk is full or fails, and sqlx does not notice. It would then treat all later
/// transactions on that connection as part of the ended one, and refuse them.
pub(super) async fn settle<T>(
    connection: PoolConnection<Any>,
    written: Result<T, StoreError>,
) -> Result<T, StoreError> {
    ENDED.fetch_add(1, Ordering::AcqRel);
    if written.is_err()
        && let Err(error) = connection.close().await
    {
        tracing::debug!(%error, "the connection of a failed transaction did not close cleanly");
    }
    written
}
