//! `coverage-dashboard backup`: copies a SQLite database, whose service may be running.

use crate::commands::database::DatabaseArguments;
use clap::Args;
use std::{
    io::{self, Write},
    path::PathBuf,
};
use store::StoreError;
use thiserror::Error;

/// Copies the SQLite database while the service runs. Copy the HTML reports afterwards, within REPORT_GRACE (default 7
/// days): replaced and pruned HTML reports stay that long.
#[derive(Clone, Debug, Args)]
pub struct BackupArguments {
    /// The file to write; it must not exist.
    pub file: PathBuf,

    /// The database of the service.
    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// Why the command failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BackupCommandError {
    /// The database failed.
    #[error("cannot copy the database")]
    Store(#[from] StoreError),
    /// The file exists.
    #[error("{} exists already; name a new file", .0.display())]
    Exists(PathBuf),
    /// The output was closed.
    #[error("cannot print")]
    Output(#[from] io::Error),
}

/// Copies the database to a new file. Messages for people go to `notes`. A failure leaves no partial copy.
pub async fn run(
    arguments: BackupArguments,
    notes: &mut impl Write,
) -> Result<(), BackupCommandError> {
    if arguments.file.exists() {
        return Err(BackupCommandError::Exists(arguments.file));
    }
    let store = arguments.database.open_to_copy(notes).await?;
    let copied = store.operator().back_up(&arguments.file).await;
    store.close().await;
    copied?;
    writeln!(
        notes,
        "The database was copied to {}. Now copy the reports, within REPORT_GRACE (default 7 days): replaced and pruned reports stay that long. Reports without a record do no harm.",
        arguments.file.display()
    )?;
    Ok(())
}
