//! The command line of `coverage-dashboard backup`.

use clap::Args;
use std::path::PathBuf;

/// A copy of the SQLite database as it is at one moment, while the service goes on. Copy the reports after it, within
/// REPORT_GRACE (7 days unless it is set): reports that are replaced or pruned meanwhile stay that long.
#[derive(Clone, Debug, Args)]
pub struct BackupArguments {
    /// The file to write; it must not exist.
    pub file: PathBuf,

    /// The database of the service; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db"
    )]
    pub database_url: String,
}
