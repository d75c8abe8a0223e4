//! The command line of `coverage-dashboard verify`.

use super::{AwsVariables, ReportsUrl};
use clap::Args;

/// Compares the database with the stored reports, both ways, reads reports and compares their checksums, and compares what is
/// kept beside records with the records. A running service goes on meanwhile. Each finding is a line: exit code 0 where there
/// is none, 1 where there are some, repaired or not, 2 where not all could be looked at.
#[derive(Clone, Debug, Args)]
pub struct VerifyArguments {
    /// Repair what can be: counts and summaries are computed anew, records whose report is missing say so, reports that
    /// nothing points to are removed after REPORT_GRACE. No coverage number is changed.
    #[arg(long)]
    pub repair: bool,

    /// Repair without asking; needed where there is no terminal.
    #[arg(long, requires = "repair")]
    pub yes: bool,

    /// Reports of which every byte is read, chosen at random.
    #[arg(long, default_value_t = 100, conflicts_with = "all")]
    pub sample: usize,

    /// Read every byte of all reports.
    #[arg(long)]
    pub all: bool,

    /// Print findings as NDJSON: an object on each line.
    #[arg(long)]
    pub json: bool,

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
