//! From the variables of the environment to a client of the storage.

use crate::config::{AwsVariables, BucketUrl};
use object_store::{
    BackoffConfig, ClientOptions, Result, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey},
};
use std::time::Duration;

/// Patience with the storage: for a connection, and for anything at all to come. A part that is sent has as much time.
const CONNECT: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_secs(30);

/// Requests that were throttled, failed on its side or never arrived are repeated so often and for so long.
const RETRIES: usize = 6;
const RETRY_FOR: Duration = Duration::from_secs(20);
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// `false` puts the bucket before the endpoint's host instead of behind it.
const PATH_STYLE: &str = "AWS_S3_FORCE_PATH_STYLE";

/// Where the service-specific endpoint and the general one stand; the former counts.
const ENDPOINTS: [&str; 3] = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];

/// The endpoint that is set, if it is not that of AWS.
pub(super) fn endpoint(variables: &AwsVariables) -> Option<&str> {
    ENDPOINTS.iter().find_map(|name| variables.get(name))
}

/// A client of the bucket. Nothing is sent yet.
pub(super) fn client(url: &BucketUrl, variables: &AwsVariables) -> Result<AmazonS3> {
    let options = ClientOptions::new()
        .with_timeout_disabled()
        .with_read_timeout(SILENCE)
        .with_connect_timeout(CONNECT)
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
        // One object at a time is what every storage of the protocol knows.
        .with_disable_bulk_delete(true);
    for (name, value) in variables.iter() {
        // Others are for other tools.
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
