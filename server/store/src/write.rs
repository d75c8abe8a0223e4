//! Begins and ends write transactions.

use super::{
    Store, StoreError,
    run::{Answer, answered},
};
use sqlx::{
    Any, AnyConnection, AnyPool, SqlSafeStr, any::AnyTransactionManager, pool::PoolConnection,
};
use sqlx_core::transaction::TransactionManager;
use std::{
    ops::{Deref, DerefMut},
    sync::atomic::{AtomicU64, Ordering},
};

static ENDED: AtomicU64 = AtomicU64::new(0);

/// The number of writes of this process that have ended, in any database: transactions and statements of [`Store::write`].
pub(super) fn ended() -> u64 {
    ENDED.load(Ordering::Acquire)
}

/// A transaction that writes. If it is dropped without [`Self::commit`] or [`Self::unchanged`], it is rolled back, and its
/// connection is closed.
///
/// If the disk is full or fails, SQLite ends the transaction by itself. sqlx does not notice: it would treat every later
/// transaction on this connection as nested, and refuse it.
pub(super) struct Writing {
    connection: PoolConnection<Any>,
    is_ended: bool,
}

impl Store {
    /// Runs a single statement that writes, without a transaction: the database executes one statement completely or not at all.
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
    /// Every transaction that writes to a repository updates the repository's row first, which locks it. Other transactions wait
    /// for this lock on PostgreSQL, and for the whole database on SQLite.
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
        let begin = Some(begin.into_sql_str());
        answered(AnyTransactionManager::begin(&mut transaction, begin)).await?;
        Ok(transaction)
    }
}

impl Writing {
    /// Ends the transaction without a change, and returns `answer`.
    pub(super) async fn unchanged<T>(mut self, answer: T) -> Result<T, StoreError> {
        answered(AnyTransactionManager::rollback(&mut self)).await?;
        self.is_ended = true;
        Ok(answer)
    }

    pub(super) async fn commit(mut self) -> Result<(), StoreError> {
        answered(AnyTransactionManager::commit(&mut self)).await?;
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
            // Begins the rollback without the async runtime: a runtime that shuts down closes the connection late, and the write
            // lock would be held until then.
            AnyTransactionManager::start_rollback(self);
            self.connection.close_on_drop();
        }
    }
}
