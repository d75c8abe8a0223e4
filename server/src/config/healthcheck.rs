//! The command line of `coverage-dashboard healthcheck`.

use clap::Args;
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

/// Ask a running service for its health: exit code 0 where it is well, 1 where it is not or does not answer.
#[derive(Clone, Debug, Args)]
pub struct HealthcheckArguments {
    /// The address of the service, such as https://coverage.example.com [default: that of --addr].
    #[arg(long)]
    pub url: Option<String>,

    /// The address that the service listens on.
    #[arg(long, env = "COVERAGE_ADDR", default_value = "127.0.0.1:3000")]
    pub addr: SocketAddr,

    /// Ask whether it should be sent requests (/coverages-api/ready), not only whether its database answers.
    #[arg(long)]
    pub ready: bool,

    /// Seconds to wait for an answer.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout_seconds: u64,
}

impl HealthcheckArguments {
    /// The address to ask.
    pub fn asked(&self) -> String {
        let path = match self.ready {
            true => "ready",
            false => "health",
        };
        let base = match &self.url {
            Some(url) => url.trim().trim_end_matches('/').to_owned(),
            None => format!("http://{}", reachable(self.addr)),
        };
        format!("{base}/coverages-api/{path}")
    }

    /// For the whole call.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds)
    }
}

/// A service that listens on all addresses is asked on the loopback.
fn reachable(mut addr: SocketAddr) -> SocketAddr {
    if addr.ip().is_unspecified() {
        addr.set_ip(match addr {
            SocketAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            SocketAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        });
    }
    addr
}

#[cfg(test)]
mod tests {
    use crate::config::{Cli, Command};
    use clap::Parser;

    fn asked(arguments: &[&str]) -> String {
        let own = ["coverage-dashboard", "healthcheck"];
        match Cli::parse_from(own.iter().chain(arguments)).command {
            Command::Healthcheck(arguments) => arguments.asked(),
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn a_service_on_all_addresses_is_checked_on_the_loopback() {
        for (addr, host) in [
            ("0.0.0.0:80", "127.0.0.1:80"),
            ("[::]:80", "[::1]:80"),
            ("10.0.0.7:80", "10.0.0.7:80"),
        ] {
            let url = format!("http://{host}/coverages-api/health");
            assert_eq!(asked(&["--addr", addr]), url);
        }
    }

    #[test]
    fn an_address_may_end_with_a_slash() {
        let url = "https://coverage.example.com/";
        assert_eq!(
            asked(&["--url", url, "--ready"]),
            "https://coverage.example.com/coverages-api/ready"
        );
    }
}
