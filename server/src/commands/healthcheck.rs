//! `coverage-dashboard healthcheck`: asks a running service how it is, for containers and monitors.

use crate::config::HealthcheckArguments;
use reqwest::{Client, StatusCode, redirect::Policy};
use std::io::{self, Write};
use thiserror::Error;

/// Why the service does not count as well.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum HealthcheckError {
    /// It did not answer in time, or there is none.
    #[error("no answer from {url}")]
    Unreachable {
        /// What was asked.
        url: String,
        /// What the network said.
        #[source]
        source: reqwest::Error,
    },
    /// It is not well.
    #[error("{url} answers {status}")]
    Unwell {
        /// What was asked.
        url: String,
        /// What it answered.
        status: StatusCode,
    },
    /// The output was closed.
    #[error("cannot print")]
    Output(#[from] io::Error),
}

/// Asks, and says in one line that all is well.
///
/// # Errors
///
/// When it is not.
pub async fn run(
    arguments: HealthcheckArguments,
    out: &mut impl Write,
) -> Result<(), HealthcheckError> {
    let url = arguments.asked();
    let status = match status(&arguments, &url).await {
        Ok(status) => status,
        // The address is named once.
        Err(error) => {
            let source = error.without_url();
            return Err(HealthcheckError::Unreachable { url, source });
        }
    };
    if status != StatusCode::OK {
        return Err(HealthcheckError::Unwell { url, status });
    }
    Ok(writeln!(out, "{url} answers {status}")?)
}

async fn status(arguments: &HealthcheckArguments, url: &str) -> reqwest::Result<StatusCode> {
    // A proxy may be up while the service is not, and so may what a redirect leads to.
    #[expect(clippy::disallowed_methods, reason = "it calls the service itself")]
    let mut client = Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .timeout(arguments.timeout());
    if !url.starts_with("https:") {
        // A container may have no certificates to load.
        client = client.tls_certs_only([]);
    }
    Ok(client.build()?.get(url).send().await?.status())
}
