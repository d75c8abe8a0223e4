//! What can go wrong with the database.

use thiserror::Error;

/// Why the database did not do what it was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The URL is of no engine that this build knows.
    #[error("the database URL must begin with sqlite:")]
    UnknownEngine,
    /// Each connection would have a database of its own in memory.
    #[error("the database URL must name a file: sqlite://path/to/coverage.db")]
    NoFile,
    /// The folder of a SQLite file cannot be made.
    #[error("cannot make the database's folder")]
    Folder(#[source] std::io::Error),
    /// The tables cannot be brought up to date.
    #[error("cannot migrate the database")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A stored name no longer fits its rule.
    #[error("a stored name is not valid")]
    Name(#[from] app::domain::NameError),
    /// The report of a new record was removed before the record was stored.
    #[error("the report was swept away before its record was stored")]
    ReportSwept,
    /// A token in force has this name already.
    #[error("there is a token of this name already")]
    NameTaken,
    /// The disk has no room left.
    #[error("the database's disk is full")]
    Full(#[source] sqlx::Error),
    /// Any other failure.
    #[error("the database failed")]
    Database(#[source] sqlx::Error),
}

/// <https://www.sqlite.org/rescode.html#full>
const SQLITE_FULL: &str = "13";

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|error| error.code());
        match code.as_deref() {
            Some(SQLITE_FULL) => Self::Full(error),
            _ => Self::Database(error),
        }
    }
}
