//! Begins and ends write transactions.

use super::{Store, StoreError, run::Answer};
use sqlx::{
    Any, AnyConnection, AnyPool, SqlSafeStr, any::AnyTransactionManager, pool::PoolConnection,
};
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

/// A transaction that writes. Without [`Self::commit`] or [`Self::unchanged`], nothing changes, and its connection is closed.
///
/// SQLite ends a transaction itself when its disk is full or fails, and sqlx does not notice. It would then treat all later
/// transactions on that connection as part of the ended one, and refuse them.
pub(super) struct Writing {
    connection: PoolConnection<Any>,
    is_ended: bool,
}

impl Store {
    /// Runs a statement that writes alone, without a transaction around it: such a statement is never left half done.
    pub(super) async fn write<'a, T>(
        &'a self,
        statement: impl FnOnce(&'a AnyPool) -> Answer<'a, T>,
    ) -> Result<T, StoreError> {
        let written = statement(&self.write_pool).await;
        ENDED.fetch_add(1, Ordering::AcqRel);
        written
    }

    /// Begins a transaction that writes. Every function that fails before its commit has changed nothing.
    ///
    /// The row of a repository guards against concurrent writes: every transaction that writes to a repository updates this row
    /// first. On PostgreSQL, others wait for this row, on SQLite for the whole database.
    pub(super) async fn begin(&self) -> Result<Writing, StoreError> {
        let mut transaction = Writing {
            connection: self.write_pool.acquire().await?,
            is_ended: false,
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
    /// Ends the transaction without a change, and returns `answer`.
    pub(super) async fn unchanged<T>(mut self, answer: T) -> Result<T, StoreError> {
        AnyTransactionManager::rollback(&mut self).await?;
        self.is_ended = true;
        Ok(answer)
    }

    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        AnyTransactionManager::commit(&mut self).await?;
        self.is_ended = true;
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
        if !self.is_ended {
            // The rollback needs no runtime: a stopping one would keep the lock until it closes the connection.
            AnyTransactionManager::start_rollback(self);
            self.connection.close_on_drop();
        }
    }
}
