//! The command line of `coverage-dashboard delete`.

use super::{AwsVariables, ReportsUrl};
use clap::{Args, Subcommand};
use domain::{BranchName, CommitAuthor, Repository};

/// Deletes numbers and HTML of what was uploaded. It cannot be undone; copies of the database and of the reports keep what is
/// in them.
#[derive(Clone, Debug, Args)]
pub struct DeleteArguments {
    /// What to delete.
    #[command(subcommand)]
    pub what: DeleteWhat,

    /// Do not ask. Needed where nobody can be asked: without a terminal.
    #[arg(long, global = true)]
    pub yes: bool,

    /// Where the service keeps reports.
    #[arg(
        long,
        env = "REPORTS_URL",
        default_value = "public/reports",
        global = true
    )]
    pub reports_url: ReportsUrl,

    /// How to reach a bucket.
    #[arg(skip = AwsVariables::of_process())]
    pub aws: AwsVariables,

    /// The database of the service; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db",
        global = true
    )]
    pub database_url: String,
}

/// What can be deleted. A running service knows it with the next request.
#[derive(Clone, Debug, Subcommand)]
pub enum DeleteWhat {
    /// One record. If it is current, the newest remaining one of its branch and language becomes current.
    Record {
        /// Its number, as in the address of its page.
        record: i64,
    },
    /// A branch with all of its records.
    Branch {
        /// The repository, such as acme/payments.
        #[arg(value_name = "ORG/REPO")]
        repository: Repository,
        /// The branch.
        branch: BranchName,
    },
    /// A repository with all of its records, its branches and its rows on the page of uploads.
    Repository {
        /// The repository, such as acme/payments.
        #[arg(value_name = "ORG/REPO")]
        repository: Repository,
    },
    /// The name of an author: it is replaced in all records. Names inside of uploaded reports stay.
    Author {
        /// The name, exactly as pages show it.
        name: CommitAuthor,
        /// What takes its place.
        #[arg(long, value_name = "NAME")]
        replace_with: CommitAuthor,
    },
}
