//! What can go wrong with the database.

use super::QuotaExceeded;
use domain::Repository;
use thiserror::Error;

/// Why the database did not do what it was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The URL is of no engine that this build knows.
    #[error("the database URL must begin with sqlite: or postgres:")]
    UnknownEngine,
    /// Each connection would have a database of its own in memory.
    #[error("the database URL must name a file: sqlite://path/to/coverage.db")]
    NoFile,
    /// The file of a SQLite database, or its folder, cannot be used.
    #[error("cannot use the database's file or its folder")]
    Folder(#[source] std::io::Error),
    /// The tables cannot be brought up to date.
    #[error("cannot migrate the database")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A stored name no longer fits its rule.
    #[error("a stored name is not valid")]
    Name(#[from] domain::NameError),
    /// The report of a new record was removed before the record was stored.
    #[error("the report was swept away before its record was stored")]
    ReportSwept,
    /// A token in force has this name already.
    #[error("there is a token of this name already")]
    NameTaken,
    /// The repository is not one that a token is good for.
    #[error("{0} is not in the scope of the token")]
    NotInScope(Repository),
    /// A token is for something that this release does not know.
    #[error("a token is for a purpose that this release does not know")]
    UnknownPurpose,
    /// The repository belongs to another forge than the one that vouched for it.
    #[error("the repository belongs to {0}")]
    OtherForge(String),
    /// The first identity that wrote to the repository had other numbers.
    #[error("the repository was pinned to another one of the same name")]
    OtherIdentity,
    /// The branch from which branches were listed is not the main one.
    #[error("{0} is not the main branch")]
    NotMainBranch(domain::BranchName),
    /// A list of branches names none that was ever uploaded.
    #[error("no branch of the list has a record")]
    NoSuchBranch,
    /// A file of another kind is where the database should be.
    #[error("there is a file at this place that is no SQLite database")]
    NotADatabase,
    /// There is no database to be opened.
    #[error("there is no database at this place; check DATABASE_URL, or start the service first")]
    Missing,
    /// Only a database in a file is copied as one.
    #[error("a database of PostgreSQL is not copied by this command: take pg_dump")]
    NotBackedUp,
    /// It was waited for too long.
    #[error("the database does not answer")]
    Silent,
    /// Reports take as much room as they may.
    #[error(transparent)]
    Quota(QuotaExceeded),
    /// The disk has no room left.
    #[error("the database's disk is full")]
    Full(#[source] sqlx::Error),
    /// Any other failure.
    #[error("the database failed")]
    Database(#[source] sqlx::Error),
}

impl StoreError {
    /// Whether SQLite has found its file to be damaged.
    pub fn is_damage(&self) -> bool {
        let code = match self {
            Self::Database(error) => error.as_database_error().and_then(|error| error.code()),
            _ => None,
        };
        // Extended codes have the code that they extend in their last eight bits.
        // Those of PostgreSQL have five characters.
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
        let code = error.as_database_error().and_then(|error| error.code());
        match code.as_deref() {
            Some(SQLITE_FULL | POSTGRES_DISK_FULL) => Self::Full(error),
            _ => Self::Database(error),
        }
    }
}
