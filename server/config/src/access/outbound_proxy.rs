//! The proxy for calls to forges and issuers.

use super::web_url::web_url;
use crate::optional::Setting;
use reqwest::Url;

impl Setting for Url {
    fn read(text: &str) -> Result<Self, String> {
        web_url(text)
    }
}
