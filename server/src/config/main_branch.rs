//! The command line of `coverage-dashboard main-branch`.

use clap::Args;
use domain::{BranchName, Repository};

/// The main branch of a repository: shown, or set. A running service minds it at once.
#[derive(Clone, Debug, Args)]
pub struct MainBranchArguments {
    /// The repository, such as acme/payments.
    #[arg(value_name = "ORG/REPO")]
    pub repository: Repository,

    /// The branch that is to be the main one from now on; without it, the main branch is shown.
    pub branch: Option<BranchName>,

    /// Guess again: main, master, develop or trunk, else the branch with the most records.
    #[arg(long, conflicts_with = "branch")]
    pub guess: bool,

    /// The database of the service; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db"
    )]
    pub database_url: String,
}
