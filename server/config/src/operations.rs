//! Settings of metrics and shutdown.

use super::Optional;
use clap::Args;
use std::net::SocketAddr;

/// Metrics and shutdown.
#[derive(Clone, Debug, Args)]
pub struct Operations {
    /// A separate address for /metrics and health checks; the main address then has no /metrics [default: none].
    #[arg(long, env = "METRICS_ADDR", default_value = "")]
    pub metrics_addr: Optional<SocketAddr>,

    /// The number of repositories and languages whose coverage /metrics shows; 0 for none.
    #[arg(long, env = "METRICS_REPOSITORIES", default_value_t = 5_000)]
    pub metrics_repositories: u32,

    /// The number of owners of files whose lines /metrics shows, counted once for each org; 0 for none.
    #[arg(long, env = "METRICS_OWNERS", default_value_t = 0)]
    pub metrics_owners: u32,

    /// Seconds for which /metrics caches numbers of the database. Fixed: shorter than any usual scrape interval.
    #[arg(skip = 5_u64)]
    pub metrics_cache_seconds: u64,

    /// Seconds for which the storage page caches numbers of the database; metrics cache them five times as long. Fixed: with half
    /// a million reports, one reading takes some seconds.
    #[arg(skip = 60_u64)]
    pub storage_cache_seconds: u64,

    /// Seconds between the stop signal and the end of new connections. Meanwhile /coverages-api/ready answers 503, so that
    /// load balancers use other services. At most an hour.
    #[arg(long, env = "SHUTDOWN_DELAY_SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=3_600))]
    pub shutdown_delay_seconds: u64,

    /// Seconds that running requests and uploads may take after that. At most an hour.
    #[arg(long, env = "SHUTDOWN_GRACE_SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(..=3_600))]
    pub shutdown_grace_seconds: u64,
}
