//! The command lines of `coverage-dashboard export` and `import`.

use crate::history::HistoryFormat;
use clap::Args;
use domain::{OrgName, RepoName};
use std::path::PathBuf;

/// The numbers of all records as a file, the oldest of each repository first. Reports are not in it.
#[derive(Clone, Debug, Args)]
pub struct ExportArguments {
    /// The file to write; without one, the output.
    pub file: Option<PathBuf>,

    /// Its form; without it, what the file's name ends with, else ndjson.
    #[arg(long, value_enum)]
    pub format: Option<HistoryFormat>,

    /// Of one organisation only.
    #[arg(long)]
    pub org: Option<OrgName>,

    /// Of one of its repositories only.
    #[arg(long, requires = "org")]
    pub repo: Option<RepoName>,

    /// The database of the service; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db"
    )]
    pub database_url: String,
}

/// Takes in records that were made elsewhere or long ago, with the times that they state. A commit that is there already
/// stays as it is, so the same file may be taken in again.
#[derive(Clone, Debug, Args)]
pub struct ImportArguments {
    /// The file to read; without one, the input.
    pub file: Option<PathBuf>,

    /// Its form; without it, what the file's name ends with.
    #[arg(long, value_enum)]
    pub format: Option<HistoryFormat>,

    /// The database of the service, which has been started once; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db"
    )]
    pub database_url: String,
}
