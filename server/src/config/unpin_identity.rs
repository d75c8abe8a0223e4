//! The command line of `coverage-dashboard unpin-identity`.

use clap::Args;
use domain::Repository;

/// Forget the numbers by which a forge knows a repository: after a real move its identities have others. The
/// next identity that uploads is pinned instead. Takes effect on the next request of a running service.
#[derive(Clone, Debug, Args)]
pub struct UnpinIdentityArguments {
    /// The repository, such as acme/payments.
    #[arg(value_name = "ORG/REPO")]
    pub repository: Repository,

    /// The database of the service; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db"
    )]
    pub database_url: String,
}
