//! Records in SQL. Knows no HTTP, and hands out domain types only.

pub mod actor;
mod ahead;
mod audit;
mod author;
mod backup;
mod badge;
mod base;
mod branches;
mod compare;
mod counts;
mod current;
mod current_row;
mod delete;
mod engine;
mod error;
mod history;
mod ledger;
mod likeness;
mod listing;
mod main_branch;
mod main_coverage;
mod main_records;
#[cfg(test)]
mod migrations;
mod names;
mod org;
mod orphaned_reports;
mod overview;
mod ownership;
#[cfg(test)]
mod plans;
mod pools;
mod postgres;
pub(crate) mod private_files;
mod publish;
mod quota;
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
mod verify;
mod version;
mod write;

pub use audit::{AuditFilter, AuditReading};
pub use base::Base;
pub use branches::{BranchList, BranchReport};
pub use delete::{Deletable, Deleted, Deletion};
pub use error::StoreError;
pub use history::{HistoryReading, HistoryRecord, Imported};
pub use ledger::{LedgerEntry, LedgerLimit};
pub use listing::{ListingFilter, Page};
pub use main_branch::{MainBranch, MainRight};
pub use main_coverage::{CurrentCoverage, MainCoverage};
pub use names::{
    Collision, Collisions, HowNamesChange, Merged, Moved, NameChange, NameChangeError, Named,
    NamesChanged,
};
pub use orphaned_reports::{LONGEST_PUBLICATION, MarkedReport};
pub use ownership::{ClaimedBy, ForgeClaim, ForgeIds, Ownership};
pub use pools::PoolUse;
pub use publish::{NewRecord, Published, Standing, StoredReport};
pub use quota::{QuotaExceeded, Quotas, RecordKey};
pub use record::Record;
pub use record_details::{FileCounts, FilesEncoder, RecordDetails, StoredFiles, TooManyFiles};
pub use report::RecordNames;
pub use retention::{KeptReport, ReportSeries};
pub(crate) use time::now;
pub use tokens::{NewToken, Purpose, Scope, Token};
pub use verify::{DetailsPage, KEY_END, PointedReport, UnreadableDetails, WrongOrg, WrongSummary};
pub use version::{Version, Watcher};

use engine::Engine;
use sqlx::AnyPool;
use std::time::Duration;

/// Connections that a service has to its database at most, where nobody says otherwise.
pub const DEFAULT_CONNECTIONS: u32 = 16;

/// How a database is used.
#[derive(Clone, Copy, Debug)]
pub struct StoreOptions {
    /// At most so many connections that read; on PostgreSQL, that read or write.
    pub connections: u32,
    /// After how long PostgreSQL ends a statement. SQLite has no such limit.
    pub statement_timeout: Option<Duration>,
}

impl Default for StoreOptions {
    /// For commands: their statements may take as long as they do.
    fn default() -> Self {
        Self {
            connections: DEFAULT_CONNECTIONS,
            statement_timeout: None,
        }
    }
}

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
        Self::open_with(url, StoreOptions::default()).await
    }

    /// The same with options.
    ///
    /// # Errors
    ///
    /// As those of [`Self::open`].
    pub async fn open_with(url: &str, options: StoreOptions) -> Result<Self, StoreError> {
        Engine::of(url)?.open(url, options).await
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
