//! Records in SQL. Knows no HTTP, and hands out domain types only.

mod author;
mod backup;
mod badge;
mod base;
mod branches;
mod compare;
mod counts;
mod current;
mod current_row;
mod engine;
mod error;
mod history;
mod ledger;
mod likeness;
mod listing;
mod loose_reports;
mod main_branch;
mod main_coverage;
mod main_records;
#[cfg(test)]
mod migrations;
mod org;
mod overview;
#[cfg(test)]
mod plans;
mod pools;
mod postgres;
mod publish;
mod read_model;
mod record;
mod record_details;
mod record_page;
mod report;
mod repository;
mod retention;
mod signing_keys;
mod sql;
mod sqlite;
#[cfg(test)]
mod testing;
mod text;
mod time;
mod tokens;
mod totals;
mod version;
mod vouching;
mod write;

pub use base::Base;
pub use branches::BranchReport;
pub use error::StoreError;
pub use history::{HistoryReading, HistoryRecord, Imported};
pub use ledger::{LedgerEntry, LedgerLimit};
pub use listing::{ListingFilter, Page};
pub use loose_reports::DoomedReport;
pub use main_branch::MainBranch;
pub use main_coverage::{CurrentCoverage, MainCoverage};
pub use pools::PoolUse;
pub use publish::{NewRecord, Published, StoredReport};
pub use record::Record;
pub use record_details::{FileCounts, FilesEncoder, RecordDetails, StoredFiles, TooManyFiles};
pub use report::RecordNames;
pub use retention::{KeptReport, ReportSeries};
pub(crate) use time::now;
pub use tokens::{NewToken, Purpose, Scope, Token};
pub use version::{Version, Watcher};
pub use vouching::{Vouched, Vouching};

use engine::Engine;
use sqlx::AnyPool;

/// Connections that a service has to its database at most, where nobody says otherwise.
pub const DEFAULT_CONNECTIONS: u32 = 16;

/// The database. On SQLite there are many readers and one writer: it lets one write at a time, and a queue beats a lock
/// error. On PostgreSQL both are one pool.
#[derive(Clone, Debug)]
pub struct Store {
    readers: AnyPool,
    writer: AnyPool,
    engine: Engine,
}

impl Store {
    /// Opens the database at `url` and brings its tables up to date. A SQLite file is made when absent.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownEngine`] for a URL of another kind, otherwise whatever kept the database from opening.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(url, DEFAULT_CONNECTIONS).await
    }

    /// The same with at most so many connections that read; on PostgreSQL, that read or write.
    ///
    /// # Errors
    ///
    /// As those of [`Self::open`].
    pub async fn open_with(url: &str, connections: u32) -> Result<Self, StoreError> {
        Engine::of(url)?.open(url, connections).await
    }

    /// Opens the database at `url`, but makes none, nor the first tables in an empty one.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`], and what [`Self::open`] may fail by.
    pub async fn open_existing(url: &str) -> Result<Self, StoreError> {
        let is_missing = match Engine::of(url)? {
            Engine::Sqlite => sqlite::is_missing(url)?,
            Engine::Postgres => postgres::has_no_tables(url).await?,
        };
        match is_missing {
            true => Err(StoreError::Missing),
            false => Self::open(url).await,
        }
    }

    /// Whether the database answers.
    ///
    /// # Errors
    ///
    /// What kept it from answering.
    pub async fn ping(&self) -> Result<(), StoreError> {
        sqlx::query("select 1").execute(&self.readers).await?;
        Ok(())
    }

    /// Whether other services may be using the same database at this moment.
    pub fn is_shared(&self) -> bool {
        self.engine == Engine::Postgres
    }

    /// Ends all connections, once what they are doing is done.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}
