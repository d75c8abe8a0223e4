//! The command lines of `coverage-dashboard rename` and `merge`.

use clap::Args;

/// What is called otherwise, and how. A running service uses the new name from the next request on.
#[derive(Clone, Debug, Args)]
pub struct NamesArguments {
    /// What there is, such as acme/payments; an organisation, such as acme, stands for all its repositories.
    #[arg(value_name = "OLD")]
    pub from: String,

    /// The other name.
    #[arg(value_name = "NEW")]
    pub to: String,

    /// Both names are organisations; has to be said of groups, such as acme/platform.
    #[arg(long)]
    pub org: bool,

    /// Only say what would change.
    #[arg(long)]
    pub dry_run: bool,

    /// Do not ask. It has to be said where nobody can be asked.
    #[arg(long, conflicts_with = "dry_run")]
    pub yes: bool,

    /// The database of the service; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db"
    )]
    pub database_url: String,
}
