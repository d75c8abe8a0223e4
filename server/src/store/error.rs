//! What can go wrong with the database.

use thiserror::Error;

/// Why the database did not do what it was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The URL is of no engine that this build knows.
    #[error("the database URL must begin with sqlite:")]
    UnknownEngine,
    /// The folder of a SQLite file cannot be made.
    #[error("cannot make the database's folder")]
    Folder(#[source] std::io::Error),
    /// The tables cannot be brought up to date.
    #[error("cannot migrate the database")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A stored name no longer fits its rule.
    #[error("a stored name is not valid")]
    Name(#[from] app::domain::NameError),
    /// Any other failure.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
}
