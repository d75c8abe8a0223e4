//! Fetches the published documents of an issuer: the discovery document, and the key set that it names (OpenID Connect Discovery
//! 1.0).

use super::key_set::{Claims, KeySet};
use bytes::Bytes;
use config::access::Issuer;
use forges::outbound::{Outbound, OutboundError};
use http::StatusCode;
use reqwest::{Method, Url};
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

/// Why a document could not be fetched. Only for the log.
#[derive(Debug, Error)]
pub(crate) enum DiscoveryError {
    #[error("the call to {0} failed")]
    Call(Url, #[source] OutboundError),
    #[error("{0} answered {1}")]
    Status(Url, StatusCode),
    #[error("the answer of {0} cannot be read")]
    Unreadable(Url, #[source] serde_json::Error),
    #[error("{0} belongs to another issuer: {1:?}")]
    OtherIssuer(Url, String),
    #[error("{0} names {1:?}, which is not on a listed host, so it is not called")]
    Elsewhere(Url, String),
    #[error("{0} has no key for RS256 or ES256")]
    NoKeys(Url),
}

/// A discovery document. Issuers of CI identities need not have the members for logins, so these may be missing or of any type.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Document {
    issuer: String,
    jwks_uri: String,
    #[serde(flatten)]
    others: Claims,
}

impl Document {
    /// Returns the member with this name, if it is a text.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.others.get(name)?.as_str()
    }

    /// Returns whether the member with this name is `true`.
    pub(crate) fn says(&self, name: &str) -> bool {
        self.others.get(name) == Some(&Value::Bool(true))
    }

    /// Returns whether the member with this name is a list with this text.
    pub(crate) fn lists(&self, name: &str, text: &str) -> bool {
        let list = self.others.get(name).and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|item| item == text))
    }
}

pub(crate) async fn document(
    outbound: &Outbound,
    issuer: &Issuer,
) -> Result<Document, DiscoveryError> {
    let url = document_url(issuer);
    let document: Document = match serde_json::from_slice(&get(outbound, &url).await?) {
        Ok(document) => document,
        Err(error) => return Err(DiscoveryError::Unreadable(url, error)),
    };
    if document.issuer.trim_end_matches('/') != issuer.text {
        return Err(DiscoveryError::OtherIssuer(url, document.issuer));
    }
    Ok(document)
}

/// Fetches the keys of an issuer with two calls, both to listed hosts.
pub(super) async fn keys(outbound: &Outbound, issuer: &Issuer) -> Result<KeySet, DiscoveryError> {
    let document = document(outbound, issuer).await?;
    let keys_url = endpoint(issuer, &document.jwks_uri)?;
    match KeySet::read(&get(outbound, &keys_url).await?) {
        Ok(Some(keys)) => Ok(keys),
        Ok(None) => Err(DiscoveryError::NoKeys(keys_url)),
        Err(error) => Err(DiscoveryError::Unreadable(keys_url, error)),
    }
}

/// Returns an address from a discovery document, if its host is listed.
pub(crate) fn endpoint(issuer: &Issuer, text: &str) -> Result<Url, DiscoveryError> {
    let url = text.parse().ok().filter(|url| issuer.may_call(url));
    url.ok_or_else(|| DiscoveryError::Elsewhere(document_url(issuer), text.to_owned()))
}

fn document_url(issuer: &Issuer) -> Url {
    let mut url = issuer.url.clone();
    let path = url.path().trim_end_matches('/');
    url.set_path(&format!("{path}/.well-known/openid-configuration"));
    url
}

async fn get(outbound: &Outbound, url: &Url) -> Result<Bytes, DiscoveryError> {
    let request = outbound.request(Method::GET, url.clone());
    match outbound.call(request).await {
        Ok(answer) if answer.status == StatusCode::OK => Ok(answer.body),
        Ok(answer) => Err(DiscoveryError::Status(url.clone(), answer.status)),
        Err(error) => Err(DiscoveryError::Call(url.clone(), error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use config::access::{IssuerKind, ListedUrls};

    fn issuer(url: &str) -> Issuer {
        let issuers: ListedUrls<IssuerKind> = format!("github={url}").parse().expect("an issuer");
        issuers.iter().next().expect("one").clone()
    }

    #[test]
    fn the_document_is_below_the_path_of_its_issuer() {
        let url = |of: &str| document_url(&issuer(of)).to_string();
        let well_known = ".well-known/openid-configuration";
        assert_eq!(
            url("https://ci.example.com/"),
            format!("https://ci.example.com/{well_known}")
        );
        assert_eq!(
            url("https://git.example.com/api/actions"),
            format!("https://git.example.com/api/actions/{well_known}")
        );
    }

    #[test]
    fn keys_are_fetched_from_the_issuers_own_origin_only() {
        let issuer = issuer("https://ci.example.com/oidc");
        let is_called = |text| endpoint(&issuer, text).is_ok();
        assert!(is_called("https://ci.example.com/keys"));
        assert!(is_called("https://CI.example.com:443/oidc/keys?v=1"));
        for elsewhere in [
            "http://ci.example.com/keys",
            "https://ci.example.com:8443/keys",
            "https://ci.example.com.evil.example/keys",
            "https://evil.example/keys",
            "https://ci.example.com@evil.example/keys",
            "https://user:secret@ci.example.com/keys",
            "https://169.254.169.254/keys",
            "file:///etc/passwd",
            "data:application/json,{}",
            "/keys",
            "",
        ] {
            assert!(!is_called(elsewhere), "{elsewhere}");
        }
    }
}
