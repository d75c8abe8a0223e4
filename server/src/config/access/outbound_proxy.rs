//! The proxy for calls to forges and issuers.

use super::web_url::web_url;
use reqwest::Url;
use std::str::FromStr;

/// The address of a proxy; an empty text is none.
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
