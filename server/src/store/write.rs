//! Ending a transaction on the one connection that writes.

use super::StoreError;
use sqlx::{Any, pool::PoolConnection};

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
