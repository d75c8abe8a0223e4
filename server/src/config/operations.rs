//! How the service is watched, and how it stops.

use clap::Args;
use std::{net::SocketAddr, str::FromStr, time::Duration};

/// Where metrics are served and how much they tell; how long a shutdown takes.
#[derive(Clone, Debug, Args)]
pub struct Operations {
    /// An address of its own for /metrics and the questions after the service's health; the main one has no /metrics then [default: none].
    #[arg(
        long,
        env = "METRICS_ADDR",
        default_value = "",
        hide_default_value = true
    )]
    pub metrics_addr: MetricsAddr,

    /// Repositories, counted once for each language, whose coverage /metrics shows; 0 for none.
    #[arg(long, env = "METRICS_REPOSITORIES", default_value_t = 5_000)]
    pub metrics_repositories: u32,

    /// Seconds for which /metrics does not ask the database again.
    #[arg(long, env = "METRICS_CACHE_SECONDS", default_value_t = 5)]
    pub metrics_cache_seconds: u64,

    /// Seconds between the signal to stop and the end of new connections; /coverages-api/ready says 503 meanwhile, so
    /// that a balancer looks elsewhere. At most an hour.
    #[arg(long, env = "SHUTDOWN_DELAY_SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=3_600))]
    pub shutdown_delay_seconds: u64,

    /// Seconds that requests and uploads under way may take after that. At most an hour.
    #[arg(long, env = "SHUTDOWN_GRACE_SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(..=3_600))]
    pub shutdown_grace_seconds: u64,
}

impl Operations {
    /// From the signal to the end of new connections.
    pub fn shutdown_delay(&self) -> Duration {
        Duration::from_secs(self.shutdown_delay_seconds)
    }

    /// For what is under way then.
    pub fn shutdown_grace(&self) -> Duration {
        Duration::from_secs(self.shutdown_grace_seconds)
    }
}

/// An address, or none where the text is empty, as compose files leave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MetricsAddr(pub Option<SocketAddr>);

impl FromStr for MetricsAddr {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.trim() {
            "" => Ok(Self(None)),
            address => match address.parse() {
                Ok(address) => Ok(Self(Some(address))),
                Err(_) => Err("must be an IP address and a port, such as 127.0.0.1:9464"),
            },
        }
    }
}
