//! `coverage-dashboard backup`: copies a SQLite database, whose service may be running.

use crate::commands::{CommandError, database::DatabaseArguments, refuse};
use clap::Args;
use std::{io::Write, path::PathBuf};

/// Copies the SQLite database while the service runs. Copy the HTML reports afterwards, within REPORT_GRACE (default 7
/// days): replaced and pruned HTML reports stay that long.
#[derive(Clone, Debug, Args)]
pub struct BackupArguments {
    /// The file to write; it must not exist.
    pub file: PathBuf,

    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// Copies the database to a new file. Messages for people go to `notes`. A failure leaves no partial copy.
pub(crate) async fn run(
    arguments: BackupArguments,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let file = arguments.file.display();
    if arguments.file.exists() {
        return refuse(format!("{file} exists already; name a new file"));
    }
    let failed = "cannot copy the database";
    let store = arguments.database.open_to_copy(notes).await;
    let store = store.map_err(CommandError::failed(failed))?;
    let copied = store.operator().back_up(&arguments.file).await;
    store.close().await;
    copied.map_err(CommandError::failed(failed))?;
    writeln!(
        notes,
        "The database was copied to {file}. Now copy the reports, within REPORT_GRACE (default 7 days): replaced and pruned reports stay that long. Reports without a record do no harm."
    )?;
    Ok(())
}
