//! The command lines of `coverage-dashboard prune`, `pin` and `unpin`.

use super::{AwsVariables, ReportGrace, ReportsUrl, Retention};
use clap::Args;

/// Removes the reports that retention says are to go. Coverage numbers stay. A running service does the same each night
/// with PRUNE_AT. Their files stay for the grace, so that a copy of the database finds them; the service removes them after it.
#[derive(Clone, Debug, Args)]
pub struct PruneArguments {
    /// Only list what would go, and say how many bytes that is.
    #[arg(long)]
    pub dry_run: bool,

    /// List what goes: record, bytes, moment, repository, branch, language and commit, with tabs between them.
    #[arg(long)]
    pub list: bool,

    /// Remove files at once, also those of reports that were replaced or pruned before and are still within the grace. Copies
    /// of the database that were made before may point to them.
    #[arg(long)]
    pub now: bool,

    /// How long reports are kept.
    #[command(flatten)]
    pub retention: Retention,

    /// How long the service keeps the files of reports that no record points to any more, such as 7d.
    #[arg(long, env = "REPORT_GRACE", default_value = "7d")]
    pub report_grace: ReportGrace,

    /// Where the service keeps reports.
    #[arg(long, env = "REPORTS_URL", default_value = "public/reports")]
    pub reports_url: ReportsUrl,

    /// How to reach a bucket.
    #[arg(skip = AwsVariables::of_process())]
    pub aws: AwsVariables,

    /// The database of the service; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db"
    )]
    pub database_url: String,
}

impl PruneArguments {
    /// The grace that counts.
    pub fn grace(&self) -> ReportGrace {
        match self.now {
            true => ReportGrace::NONE,
            false => self.report_grace,
        }
    }
}

/// A record whose report is kept, or not any more.
#[derive(Clone, Debug, Args)]
pub struct PinArguments {
    /// Its number, as in the address of its page.
    pub record: i64,

    /// The database of the service; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db"
    )]
    pub database_url: String,
}
