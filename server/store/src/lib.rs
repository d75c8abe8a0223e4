//! Stores records in SQL, on SQLite or PostgreSQL. Does not depend on HTTP or on pages; returns domain types.

pub mod actor;
mod analysis;
mod audit;
mod author;
mod backup;
mod badge;
mod base;
mod blocking;
mod branches;
mod carry;
mod changes;
mod clock_skew;
mod closing;
mod columns;
mod comments;
mod compare;
mod configured_branch;
mod counts;
mod delete;
mod engine;
mod error;
mod explanation;
mod flicker;
mod foreign_requests;
mod forge_of_repository;
mod gates;
mod history;
mod holding;
mod ignored;
mod ledger;
mod likeness;
mod line_history;
mod line_tests;
mod lines;
mod listing;
mod main_branch;
mod main_coverage;
mod main_days;
mod main_records;
mod main_repositories;
mod matched_paths;
mod metric;
mod names;
mod notifications;
mod org;
mod orphaned_reports;
mod overview;
mod packed;
mod paging;
mod parts;
mod period_report;
#[cfg(test)]
mod plans;
mod pools;
mod postgres;
mod private_files;
mod provisional;
mod publish;
mod push_base;
mod quota;
mod read_scope;
mod reader;
mod record;
mod record_details;
mod record_page;
mod records_of;
mod rename;
mod replica;
mod report;
mod repository;
mod retention;
mod revision;
mod run;
#[cfg(test)]
mod same_tables;
mod search;
mod sessions;
mod signing_keys;
pub mod slots;
mod sources;
mod sql;
mod sqlite;
mod standing;
mod storage;
mod summary;
#[cfg(test)]
mod testing;
mod text;
mod time;
mod tokens;
mod totals;
mod upgrade;
mod verdict;
mod verify;
mod version;
mod views;
mod week_ago_renewal;
mod write;
mod writer;

pub use analysis::{
    AnalysedRecord, Analysis, GateNumbers, Known, KnownBase, RuledViews, changed_lines, lost_lines,
};
pub use audit::{AuditFilter, AuditReading};
pub use branches::{BranchList, BranchReport};
pub use carry::{Carried, Carrying, Followed, NewCarried, Source};
pub use changes::{ForgeChanges, KnownChanges, NewChange};
pub use closing::{Closed, DeletedPart, QueuedCommit, Remaining, Stated, TimedOut};
pub use comments::{CommentKey, CommentSubject, CommentTurn};
pub use delete::{Deleted, Deletion};
pub use domain::{
    Named, Purpose, Scope,
    sql::{Flag, Unsigned},
};
pub use engine::install_drivers;
pub use error::{QuotaExceeded, StoreError};
pub use explanation::{ExplainedRecord, RecordExplanation};
pub use foreign_requests::ForeignRequest;
pub use forge_of_repository::{ClaimedBy, ForgeClaim, ForgeIds, Ownership};
pub use gates::{GateSource, RecordSettings};
pub use history::{HistoryReading, HistoryRecord, Imported, ImportedHistories};
pub use ledger::{LedgerEntry, LedgerLimit};
pub use line_history::{
    FileHistory, NewCode, NewFile, RangeHistory, RecordChain, WaitingHistories,
};
pub use line_tests::{FormerTests, LineTests, RecordTests};
pub use lines::{NewLines, RecordLines, Reviewed};
pub use listing::{ListingFilter, Page};
pub use main_branch::{MainBranch, MainRight};
pub use main_coverage::{CurrentCoverage, MainCoverage};
pub use notifications::{Delivery, MOST_IN_AN_HOUR, NewNotification, SilentRepository, Unnotified};
pub use org::OrgDays;
pub use orphaned_reports::{LONGEST_PUBLICATION, MarkedReport};
pub use parts::{Announced, OtherPart, OtherParts, PartDetails, Union, United, UploadedPart};
pub use pools::PoolUse;
pub use publish::{NewRecord, StoredReport};
pub use push_base::{Push, PushBase};
pub use quota::{Quotas, RecordKey, topmost};
pub use read_scope::ReadScope;
pub use reader::Reader;
pub use record::Record;
pub use record_details::{FileCounts, FilesEncoder, RecordDetails, StoredFiles, TooManyFiles};
pub use rename::{HowNamesChange, Merged, Moved, NameChange, NameChangeError, NamesChanged};
pub use report::RecordNames;
pub use retention::{KeptReport, ReportFacts, ReportSeries, SizedReport};
pub use search::{Found, FoundBranch, FoundCommit, FoundFile, FoundOwner, FoundPullRequest};
pub use sessions::{NewSession, StoredSession};
pub use sources::{NewSource, named as named_sources};
pub use standing::{Published, Standing};
pub use storage::{ReportAges, RepositoryUse};
pub use summary::RecordSummary;
pub use time::now;
pub use tokens::{NewToken, Token};
pub use verdict::LanguageResult;
pub use verify::{CheckedPage, KEY_END, PointedReport, SourceCheck, WrongOrg, WrongSummary};
pub use version::{SignReader, Signs, Version, Watcher};
pub use views::{
    Counted, Definitions, Measure, OwnerLines, Trends, ViewFiles, packed as packed_owners,
};
pub use writer::{Operator, Writer};

use engine::Engine;
use run::Run;
use sqlx::AnyPool;
use std::time::Duration;
use upgrade::Older;

/// The default maximum number of database connections.
pub const DEFAULT_CONNECTIONS: u32 = 16;

/// How the store uses its database.
#[derive(Clone, Copy, Debug)]
pub struct StoreOptions {
    /// The maximum number of connections that read; on PostgreSQL, of all connections.
    pub connections: u32,
    /// The time after which PostgreSQL cancels a statement. SQLite has no such limit.
    pub statement_timeout: Option<Duration>,
    /// Whether uploads are noted for notifications.
    pub notes_uploads: bool,
}

impl Default for StoreOptions {
    /// For commands: their statements have no time limit.
    fn default() -> Self {
        Self {
            connections: DEFAULT_CONNECTIONS,
            statement_timeout: None,
            notes_uploads: false,
        }
    }
}

/// The database. People read it through a [`Reader`]. The service itself uses a [`Writer`], operators and administrators an
/// [`Operator`].
///
/// SQLite allows one write at a time, so there are many connections that read and one that writes: waiting in a queue is better
/// than a lock error. On PostgreSQL, both pools are the same.
#[derive(Clone, Debug)]
pub struct Store {
    read_pool: AnyPool,
    write_pool: AnyPool,
    engine: Engine,
    notes_uploads: bool,
    replica: Option<replica::Replica>,
    /// The analyses that are being computed.
    analysing: analysis::Analysing,
    definitions: views::Known,
    view_counts: views::Counts,
}

impl Store {
    /// Opens the database at `url` and upgrades its tables. Creates a SQLite file that does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::UnknownEngine`] for a URL of another kind, [`StoreError::NewerSchema`], otherwise the reason why the
    /// database did not open.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(url, StoreOptions::default()).await
    }

    /// Ends the wait of this process for statements with this timeout that PostgreSQL cannot cancel, because its machine disappeared.
    pub fn end_long_waits(&self, statement_timeout: Duration) {
        if self.engine == Engine::Postgres {
            run::LONGEST.get_or_init(|| statement_timeout + postgres::MARGIN);
        }
    }

    /// Like [`Self::open`], with options.
    pub async fn open_with(url: &str, options: StoreOptions) -> Result<Self, StoreError> {
        let store = Self::open_as(url, options, Older::Upgrade).await?;
        Ok(Self {
            notes_uploads: options.notes_uploads,
            ..store
        })
    }

    /// Opens the database at `url` if it has the schema of this release: a command must not upgrade the database of a service
    /// that is running.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`], [`StoreError::OlderSchema`], or as for [`Self::open`].
    pub async fn open_existing(url: &str) -> Result<Self, StoreError> {
        Self::open_unless_missing(url, Older::Refuse).await
    }

    /// Opens the database at `url`, whatever its schema, to [copy](Operator::back_up) it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Missing`], or as for [`Self::open`].
    pub async fn open_to_copy(url: &str) -> Result<Self, StoreError> {
        Self::open_unless_missing(url, Older::Leave).await
    }

    async fn open_unless_missing(url: &str, older: Older) -> Result<Self, StoreError> {
        let is_missing = match Engine::of(url)? {
            Engine::Sqlite => sqlite::is_missing(url)?,
            Engine::Postgres => postgres::has_no_tables(url).await?,
        };
        if is_missing {
            return Err(StoreError::Missing);
        }
        Self::open_as(url, StoreOptions::default(), older).await
    }

    async fn open_as(url: &str, options: StoreOptions, older: Older) -> Result<Self, StoreError> {
        engine::install_drivers();
        match Engine::of(url)? {
            Engine::Sqlite => sqlite::open(url, options.connections, older).await,
            Engine::Postgres => postgres::open(url, options, older).await,
        }
    }

    /// Fails if the database does not answer.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.read_pool.run("select 1", ()).await
    }

    /// The name of the database engine.
    pub fn engine_name(&self) -> &'static str {
        self.engine.name()
    }

    /// The number of the newest migration, which an open database has.
    pub fn schema_version(&self) -> i64 {
        self.engine.newest_schema()
    }

    /// Whether other services may use the same database at the same time.
    pub fn is_shared(&self) -> bool {
        self.engine == Engine::Postgres
    }

    /// Waits for running statements, then closes all connections.
    pub async fn close(&self) {
        self.read_pool.close().await;
        self.write_pool.close().await;
        if let Some(replica) = &self.replica {
            replica.pool.close().await;
        }
    }
}
