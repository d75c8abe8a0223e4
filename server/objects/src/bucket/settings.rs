//! Creates a client of the storage from environment variables.

use crate::{AwsVariables, BucketUrl};
use object_store::{
    BackoffConfig, ClientOptions, Result, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey},
};
use std::time::Duration;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The timeout for receiving any byte, and for sending a part.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// How often and for how long a request is retried that was throttled, got a server error or never arrived.
const RETRIES: usize = 6;
const RETRY_FOR: Duration = Duration::from_secs(20);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// `false` puts the bucket into the host name instead of the path.
const PATH_STYLE: &str = "AWS_S3_FORCE_PATH_STYLE";

/// The variables for the endpoint. The service-specific variable takes precedence.
const ENDPOINTS: [&str; 3] = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];

/// Returns the configured endpoint. `None` for the endpoint of AWS.
pub(super) fn endpoint(variables: &AwsVariables) -> Option<&str> {
    ENDPOINTS.iter().find_map(|name| variables.get(name))
}

/// Creates a client of the bucket. Sends no request.
pub(super) fn client(url: &BucketUrl, variables: &AwsVariables) -> Result<AmazonS3> {
    let options = ClientOptions::new()
        .with_timeout_disabled()
        .with_read_timeout(READ_TIMEOUT)
        .with_connect_timeout(CONNECT_TIMEOUT)
        .with_allow_http(endpoint(variables).is_some_and(|url| url.starts_with("http://")));
    let retry = RetryConfig {
        backoff: BackoffConfig {
            init_backoff: FIRST_PAUSE,
            max_backoff: LONGEST_PAUSE,
            ..BackoffConfig::default()
        },
        max_retries: RETRIES,
        retry_timeout: RETRY_FOR,
    };
    let mut builder = AmazonS3Builder::new()
        .with_client_options(options)
        .with_retry(retry)
        // Every storage with this protocol can delete single objects.
        .with_disable_bulk_delete(true);
    for (name, value) in variables.iter() {
        // Other variables are for other tools.
        if let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() {
            builder = builder.with_config(key, value);
        }
    }
    let by_host = matches!(
        variables.get(PATH_STYLE),
        Some("false" | "0" | "no" | "off")
    );
    if by_host {
        builder = builder.with_virtual_hosted_style_request(true);
        if let Some((scheme, host)) = endpoint(variables).and_then(|url| url.split_once("://")) {
            let endpoint = format!("{scheme}://{}.{host}", url.bucket);
            builder = builder.with_config(AmazonS3ConfigKey::S3Endpoint, endpoint);
        }
    }
    builder.with_bucket_name(&url.bucket).build()
}

#[cfg(test)]
mod tests {
    use super::*;
    use object_store::{Error, signer::Signer};

    /// Returns the URL of a request for an object.
    async fn address(variables: &[(&str, &str)]) -> String {
        let url = BucketUrl {
            bucket: "reports".to_owned(),
            prefix: String::new(),
        };
        let credentials = [("AWS_ACCESS_KEY_ID", "k"), ("AWS_SECRET_ACCESS_KEY", "s")];
        let variables = variables.iter().chain(&credentials);
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let client = client(&url, &variables.map(owned).collect()).expect("a client");
        let method = "GET".parse().expect("a method");
        let signed = client
            .signed_url(method, &"x".into(), CONNECT_TIMEOUT)
            .await;
        let signed = signed.expect("an address").to_string();
        signed.split('?').next().unwrap_or_default().to_owned()
    }

    #[tokio::test]
    async fn a_bucket_is_in_the_path_unless_configured_in_the_host() {
        let own = ("AWS_ENDPOINT_URL", "http://storage.example.com:9000");
        let before = (PATH_STYLE, "false");
        for (variables, expected) in [
            (&[][..], "https://s3.us-east-1.amazonaws.com/reports/x"),
            (
                &[("AWS_REGION", "eu-west-1")],
                "https://s3.eu-west-1.amazonaws.com/reports/x",
            ),
            (
                &[("AWS_DEFAULT_REGION", "eu-west-1")],
                "https://s3.eu-west-1.amazonaws.com/reports/x",
            ),
            (&[before], "https://reports.s3.us-east-1.amazonaws.com/x"),
            (&[own], "http://storage.example.com:9000/reports/x"),
            (&[own, before], "http://reports.storage.example.com:9000/x"),
            (
                &[own, ("AWS_ENDPOINT_URL_S3", "https://s3.example.com/")],
                "https://s3.example.com/reports/x",
            ),
        ] {
            assert_eq!(address(variables).await, expected, "{variables:?}");
        }
    }

    #[test]
    fn incomplete_credentials_are_refused() {
        let url = BucketUrl {
            bucket: "reports".to_owned(),
            prefix: String::new(),
        };
        let half = [("AWS_ACCESS_KEY_ID".to_owned(), "k".to_owned())];
        let client = client(&url, &half.into_iter().collect());
        assert!(matches!(client, Err(Error::Generic { .. })));
    }
}
