//! Begins and ends write transactions.

use super::{Store, StoreError};
use sqlx::{Any, AnyConnection, SqlSafeStr, any::AnyTransactionManager, pool::PoolConnection};
use sqlx_core::transaction::TransactionManager;
use std::{
    ops::{Deref, DerefMut},
    sync::atomic::{AtomicU64, Ordering},
};

static ENDED: AtomicU64 = AtomicU64::new(0);

/// The number of write transactions of this process that have ended, in any database.
pub(super) fn ended() -> u64 {
    ENDED.load(Ordering::Acquire)
}

/// A transaction that writes. Without [`Self::commit`], nothing changes, and its connection is closed.
///
/// SQLite ends a transaction itself when its disk is full or fails, and sqlx does not notice. It would then treat all later
/// transactions on that connection as part of the ended one, and refuse them.
pub(super) struct Writing {
    connection: PoolConnection<Any>,
    is_committed: bool,
}

impl Store {
    /// Begins a transaction that writes.
    ///
    /// The row of a repository guards against concurrent writes: every transaction that writes to a repository updates this row
    /// first. On PostgreSQL, others wait for this row, on SQLite for the whole database.
    pub(super) async fn begin(&self) -> Result<Writing, StoreError> {
        let mut transaction = Writing {
            connection: self.write_pool.acquire().await?,
            is_committed: false,
        };
        let begin = match transaction.backend_name() {
            // This takes the write lock immediately: a transaction that reads first cannot wait for the lock later.
            "SQLite" => "begin immediate",
            _ => "begin",
        };
        AnyTransactionManager::begin(&mut transaction, Some(begin.into_sql_str())).await?;
        Ok(transaction)
    }
}

impl Writing {
    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        AnyTransactionManager::commit(&mut self).await?;
        self.is_committed = true;
        Ok(())
    }
}

impl Deref for Writing {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.connection
    }
}

impl DerefMut for Writing {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.connection
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        ENDED.fetch_add(1, Ordering::AcqRel);
        if !self.is_committed {
            self.connection.close_on_drop();
        }
    }
}
