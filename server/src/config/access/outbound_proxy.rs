//! The proxy that calls to other services go through.

use super::web_url::web_url;
use reqwest::Url;
use std::str::FromStr;

/// The address of a proxy, or none where the text is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboundProxy(pub Option<Url>);

impl FromStr for OutboundProxy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "" => Ok(Self(None)),
            url => web_url(url).map(|url| Self(Some(url))),
        }
    }
}
