//! `coverage-dashboard healthcheck`: checks the health of a running service, for containers and monitors.

use super::{CommandError, refuse};
use clap::Args;
use reqwest::{Client, StatusCode, redirect::Policy};
use std::{
    io::Write,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

/// Checks the health of a running service. Exit code 0 if it is healthy, 1 if it is not or does not answer.
#[derive(Clone, Debug, Args)]
pub struct HealthcheckArguments {
    /// The URL of the service, such as https://coverage.example.com [default: from --addr].
    #[arg(long)]
    pub url: Option<String>,

    /// The address that the service listens on.
    #[arg(long, env = "COVERAGE_ADDR", default_value = "127.0.0.1:3000")]
    pub addr: SocketAddr,

    /// Use /coverages-api/ready, which also fails during a shutdown and if HTML reports cannot be stored.
    #[arg(long)]
    pub ready: bool,

    /// Seconds to wait for an answer.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout_seconds: u64,
}

impl HealthcheckArguments {
    fn request_url(&self) -> String {
        let path = if self.ready { "ready" } else { "health" };
        let base = match &self.url {
            Some(url) => url.trim().trim_end_matches('/').to_owned(),
            None => format!("http://{}", reachable(self.addr)),
        };
        format!("{base}/coverages-api/{path}")
    }
}

/// Returns the address to connect to: the loopback address if the service listens on all addresses.
fn reachable(mut addr: SocketAddr) -> SocketAddr {
    if addr.ip().is_unspecified() {
        addr.set_ip(match addr {
            SocketAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            SocketAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        });
    }
    addr
}

/// Queries the service, and prints one line if it is healthy.
pub(crate) async fn run(
    arguments: HealthcheckArguments,
    out: &mut impl Write,
) -> Result<(), CommandError> {
    let url = arguments.request_url();
    let status = match status(&arguments, &url).await {
        Ok(status) => status,
        // The URL appears once in the message.
        Err(error) => {
            let failed = CommandError::failed(format!("no answer from {url}"));
            return Err(failed(error.without_url()));
        }
    };
    if status != StatusCode::OK {
        return refuse(format!("{url} answers {status}"));
    }
    Ok(writeln!(out, "{url} answers {status}")?)
}

async fn status(arguments: &HealthcheckArguments, url: &str) -> reqwest::Result<StatusCode> {
    // The answer of a proxy or of a redirect's target does not show the health of the service.
    #[expect(clippy::disallowed_methods, reason = "it calls the service itself")]
    let mut client = Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .timeout(Duration::from_secs(arguments.timeout_seconds));
    if !url.starts_with("https:") {
        // A container may have no certificates to load.
        client = client.tls_certs_only([]);
    }
    Ok(client.build()?.get(url).send().await?.status())
}

#[cfg(test)]
mod tests {
    use crate::commands::{Cli, Command};
    use clap::Parser;

    fn request_url(arguments: &[&str]) -> String {
        let own = ["coverage-dashboard", "healthcheck"];
        match Cli::parse_from(own.iter().chain(arguments)).command {
            Command::Healthcheck(arguments) => arguments.request_url(),
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
            assert_eq!(request_url(&["--addr", addr]), url);
        }
    }

    #[test]
    fn an_address_may_end_with_a_slash() {
        let url = "https://coverage.example.com/";
        assert_eq!(
            request_url(&["--url", url, "--ready"]),
            "https://coverage.example.com/coverages-api/ready"
        );
    }
}
