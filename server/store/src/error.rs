//! Errors of the database.

use domain::{ChoiceError, NameError};
use thiserror::Error;

/// Why the store failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another upload has changed the parts of the commit meanwhile.
    #[error("the parts of the commit have changed meanwhile")]
    PartsChanged,
    /// The commit would have more parts than it may have.
    #[error("a commit has at most {} parts", domain::PartSet::MAX)]
    TooManyParts,
    /// Another upload of the commit has stored other ignore rules meanwhile.
    #[error("the ignore rules of the record have changed meanwhile")]
    IgnoreRulesChanged,
    /// The part is the only one of its record.
    #[error("the part is the only one of its record")]
    OnlyPart,
    /// The URL names no engine that this build supports.
    #[error("the database URL must begin with sqlite: or postgres:")]
    UnknownEngine,
    /// Each connection would get its own in-memory database.
    #[error("the database URL must name a file: sqlite://path/to/coverage.db")]
    NoFile,
    /// The file of a SQLite database, or its folder, cannot be read or written.
    #[error("cannot use the database's file or its folder")]
    Folder(#[source] std::io::Error),
    /// The tables cannot be migrated.
    #[error("cannot migrate the database")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A build before the first release made the database.
    #[error(
        "a build before release 0.1 made the database: run `export --lines history.ndjson` with that build, start the service with a new DATABASE_URL and the same REPORTS_URL, then run `import history.ndjson`"
    )]
    BeforeFirstRelease,
    /// A newer release has upgraded the database.
    #[error(
        "the database has schema {found}, but this release supports schemas up to {needed} only: use the release that upgraded it, or restore a backup from before that upgrade"
    )]
    NewerSchema {
        /// The schema of the database.
        found: i64,
        /// The schema of this release.
        needed: i64,
    },
    /// The service of this release has not upgraded the database yet.
    #[error(
        "the database has schema {found}, but this command needs schema {needed}: start the service of this release, which upgrades the database, or use the command of the earlier release"
    )]
    OlderSchema {
        /// The schema of the database.
        found: i64,
        /// The schema of this release.
        needed: i64,
    },
    /// A stored name breaks the current rule for names.
    #[error("a stored name is not valid")]
    Name(#[from] NameError),
    /// The sweep removed the HTML report of a new record before the record was stored.
    #[error("the sweep removed the HTML report before its record was stored")]
    ReportSwept,
    /// A token in force already has this name.
    #[error("a token with this name already exists")]
    NameTaken,
    /// A token has a purpose that this release does not know.
    #[error("a token has a purpose that this release does not know")]
    UnknownPurpose,
    /// The repository belongs to another forge than the one in the request.
    #[error("the repository belongs to {0}")]
    OtherForge(String),
    /// The repository is pinned to other ids: the ids of the first identity that wrote to it.
    #[error("the repository is pinned to another repository of the same name")]
    OtherIdentity,
    /// The branch that sent a list of branches is not the main branch.
    #[error("{0} is not the main branch")]
    NotMainBranch(domain::BranchName),
    /// No branch of a list has a record.
    #[error("no branch of the list has a record")]
    NoSuchBranch,
    /// The file is not a SQLite database.
    #[error("the file at this place is not a SQLite database")]
    NotADatabase,
    /// The database to open does not exist.
    #[error("there is no database at this place; check DATABASE_URL, or start the service first")]
    Missing,
    /// Only PostgreSQL has replicas.
    #[error("DATABASE_READ_URL and DATABASE_URL must both begin with postgres:")]
    NoReplica,
    /// Only a SQLite database can be copied as a file.
    #[error("this command cannot copy a PostgreSQL database; use pg_dump")]
    NotBackedUp,
    /// The database did not answer in time.
    #[error("the database does not answer")]
    Silent,
    /// A thread that computes something from stored data panicked.
    #[error("a computation stopped before its end")]
    Stopped(#[source] tokio::task::JoinError),
    /// The stored lines of a record cannot be read.
    #[error("the lines of record {record} cannot be read")]
    Lines {
        /// The id of the record.
        record: i64,
        /// The cause.
        source: lines::DecodeError,
    },
    /// Stored rules cannot be read.
    #[error("the stored rules of a gate cannot be read")]
    Rules(#[source] serde_json::Error),
    /// The HTML reports use their whole quota.
    #[error(transparent)]
    Quota(QuotaExceeded),
    /// A CODEOWNERS file cannot be packed.
    #[error("the CODEOWNERS file cannot be packed")]
    Packing(#[source] std::io::Error),
    /// The disk is full.
    #[error("the database's disk is full")]
    Full(#[source] sqlx::Error),
    /// Any other failure.
    #[error("the database failed")]
    Database(#[source] sqlx::Error),
}

impl StoreError {
    /// Whether SQLite found its file damaged.
    pub fn is_damage(&self) -> bool {
        let code = match self {
            Self::Database(error) => error.as_database_error().and_then(|error| error.code()),
            _ => None,
        };
        // The last eight bits of an extended code are its base code. The codes of PostgreSQL have five characters.
        let code = code.filter(|code| code.len() < 5);
        let code = code.and_then(|code| code.parse::<u32>().ok());
        code.is_some_and(|code| code & 0xff == SQLITE_CORRUPT)
    }
}

/// <https://www.sqlite.org/rescode.html#corrupt>
const SQLITE_CORRUPT: u32 = 11;

/// <https://www.sqlite.org/rescode.html#full>
const SQLITE_FULL: &str = "13";

/// <https://www.postgresql.org/docs/current/errcodes-appendix.html>, class 53.
const POSTGRES_DISK_FULL: &str = "53100";

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        // Rows parse their names and purposes while they are decoded.
        if let sqlx::Error::ColumnDecode { source, .. } = &error {
            if let Some(error) = source.downcast_ref::<NameError>() {
                return Self::Name(error.clone());
            }
            if source.is::<ChoiceError>() {
                return Self::UnknownPurpose;
            }
        }
        let code = error.as_database_error().and_then(|error| error.code());
        match code.as_deref() {
            Some(SQLITE_FULL | POSTGRES_DISK_FULL) => Self::Full(error),
            _ => Self::Database(error),
        }
    }
}

/// HTML reports, stored lines and source text would exceed a quota.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the HTML reports and lines of {whose} would use more than {bytes} bytes ({setting})")]
pub struct QuotaExceeded {
    /// The name of the org or the repository.
    pub whose: String,
    /// The quota.
    pub bytes: u64,
    /// The setting of the quota.
    pub setting: &'static str,
}
