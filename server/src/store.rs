//! Records in SQL. Knows no HTTP, and hands out domain types only.

mod author;
mod badge;
mod base;
mod branches;
mod current;
mod current_row;
mod error;
mod ledger;
mod likeness;
mod listing;
mod loose_reports;
mod main_branch;
mod main_records;
mod open;
mod org;
mod overview;
#[cfg(test)]
mod plans;
mod publish;
mod read_model;
mod record;
mod record_details;
mod record_page;
mod report;
mod repository;
mod signing_keys;
mod time;
mod tokens;
mod vouching;
mod write;

pub use base::Base;
pub use branches::BranchReport;
pub use error::StoreError;
pub use ledger::{LedgerEntry, LedgerLimit};
pub use listing::{ListingFilter, Page};
pub use loose_reports::DoomedReport;
pub use main_branch::MainBranch;
pub use publish::{NewRecord, Published, StoredReport};
pub use record::Record;
pub use record_details::{FileCounts, FilesEncoder, RecordDetails, StoredFiles, TooManyFiles};
pub use report::RecordNames;
pub(crate) use time::now;
pub use tokens::{NewToken, Purpose, Scope, Token};
pub use vouching::{Vouched, Vouching};

use percent_encoding::percent_decode_str;
use sqlx::{
    AnyPool, ConnectOptions,
    any::{AnyConnectOptions, AnyPoolOptions},
    migrate::Migrator,
};
use std::{path::PathBuf, str::FromStr, time::Duration};

static SQLITE_MIGRATIONS: Migrator = sqlx::migrate!("../migrations/sqlite");

/// The database: many readers, one writer, since SQLite lets one write at a time and a queue beats a lock error.
#[derive(Clone, Debug)]
pub struct Store {
    readers: AnyPool,
    writer: AnyPool,
}

impl Store {
    /// Opens the database at `url`, makes it when absent, and brings its tables up to date.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownEngine`] for a URL of another kind, otherwise whatever kept the database from opening.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        let file = sqlite_file(url)?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(StoreError::Folder)?;
        }
        open::check(&file)?;
        let _alone = open::alone(&file).await?;
        sqlx::any::install_default_drivers();
        let separator = if url.contains('?') { '&' } else { '?' };
        let options = AnyConnectOptions::from_str(&format!("{url}{separator}mode=rwc"))?
            .log_slow_statements(tracing::log::LevelFilter::Warn, Duration::from_secs(1));
        let writer = sqlite_pool(1).connect_with(options.clone()).await?;
        SQLITE_MIGRATIONS.run(&writer).await?;
        Ok(Self {
            readers: sqlite_pool(8).connect_with(options).await?,
            writer,
        })
    }

    /// Opens the database at `url`, but makes none.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`], and what [`Self::open`] may fail by.
    pub async fn open_existing(url: &str) -> Result<Self, StoreError> {
        match sqlite_file(url)?.exists() {
            true => Self::open(url).await,
            false => Err(StoreError::Missing),
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

    /// Ends all connections, once what they are doing is done.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// The file that a `sqlite:` URL names, decoded as sqlx decodes it.
fn sqlite_file(url: &str) -> Result<PathBuf, StoreError> {
    let file = url
        .strip_prefix("sqlite:")
        .ok_or(StoreError::UnknownEngine)?;
    let file = file.strip_prefix("//").unwrap_or(file);
    let path = file.split_once('?').map_or(file, |(path, _)| path);
    if path.is_empty() || path.contains(":memory:") {
        return Err(StoreError::NoFile);
    }
    Ok(percent_decode_str(path)
        .decode_utf8_lossy()
        .into_owned()
        .into())
}

fn sqlite_pool(connections: u32) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(30))
        .after_connect(|connection, _| {
            Box::pin(async move {
                // WAL lets readers go on while one writes; `full` syncs at each commit, so that what was acknowledged survives a power cut.
                for pragma in [
                    "pragma busy_timeout = 10000",
                    "pragma journal_mode = wal",
                    "pragma synchronous = full",
                    "pragma foreign_keys = on",
                ] {
                    sqlx::query(pragma).execute(&mut *connection).await?;
                }
                Ok(())
            })
        })
}
