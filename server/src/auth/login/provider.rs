//! The issuer: what it says about itself, cached, and its keys.

use super::super::oidc::{
    Claims, IssuerKeys,
    discovery::{self, DiscoveryError, Document},
    token::{Expected, Unverified, verified},
};
use crate::{
    config::access::{AccessLimits, LoginIssuer},
    forges::outbound::{Answer, Outbound},
    http::error::{ApiError, Code},
    text::chain,
};
use jsonwebtoken::errors::ErrorKind;
use reqwest::{RequestBuilder, Url};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// The pause after a failed fetch.
const PAUSE: Duration = Duration::from_secs(5);

/// Bytes of the longest identity. One with a thousand groups has about 50 KB.
const MAX_IDENTITY: usize = 128 << 10;

/// The issuer of the operator.
#[derive(Debug)]
pub(super) struct Provider {
    issuer: LoginIssuer,
    keys: IssuerKeys,
    outbound: Outbound,
    leeway_seconds: u64,
    fresh_for: Duration,
    /// Locked during a fetch, so that people who log in at the same time share it.
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    document: Option<(Document, Instant)>,
    failed: Option<Instant>,
}

impl Provider {
    pub(super) fn new(issuer: LoginIssuer, limits: &AccessLimits, outbound: Outbound) -> Self {
        Self {
            keys: IssuerKeys::new(&issuer.0, limits, outbound.clone()),
            issuer,
            outbound,
            leeway_seconds: limits.oidc_clock_skew_seconds,
            fresh_for: Duration::from_secs(limits.oidc_keys_seconds),
            kept: Mutex::default(),
        }
    }

    /// Its identifier.
    pub(super) fn issuer(&self) -> &str {
        &self.issuer.0.text
    }

    /// Its host.
    pub(super) fn host(&self) -> &str {
        self.issuer.host()
    }

    /// Whether this is its identifier.
    pub(super) fn is_called(&self, issuer: &str) -> bool {
        issuer.trim_end_matches('/') == self.issuer.0.text
    }

    /// Where people log in. The service itself does not call it.
    pub(super) async fn authorization_endpoint(&self) -> Result<Url, ApiError> {
        let named = self.document().await?.authorization_endpoint;
        let url = named.and_then(|named| named.parse::<Url>().ok());
        let is_safe = |url: &Url| url.scheme() == "https" || self.issuer.0.may_call(url);
        url.filter(is_safe).ok_or_else(|| {
            self.misconfigured("its discovery document has no usable authorization_endpoint")
        })
    }

    /// Where codes are exchanged, and whether the secret of the client has to be in the body.
    pub(super) async fn token_endpoint(&self) -> Result<(Url, bool), ApiError> {
        let document = self.document().await?;
        let methods = &document.token_endpoint_auth_methods_supported;
        let has = |name: &str| methods.iter().any(|method| method == name);
        // The default is client_secret_basic (OpenID Connect Discovery 1.0, section 3).
        let is_in_body = has("client_secret_post") && !has("client_secret_basic");
        let url = self.endpoint(document.token_endpoint.as_deref().unwrap_or_default())?;
        Ok((url, is_in_body))
    }

    /// Where more claims can be had, if the issuer has such an address.
    pub(super) async fn userinfo_endpoint(&self) -> Result<Option<Url>, ApiError> {
        let named = self.document().await?.userinfo_endpoint;
        named.map(|named| self.endpoint(&named)).transpose()
    }

    /// Starts a request to one of its addresses.
    pub(super) fn request(&self, method: reqwest::Method, url: Url) -> RequestBuilder {
        self.outbound.request(method, url)
    }

    /// Sends a request.
    pub(super) async fn call(&self, request: RequestBuilder) -> Result<Answer, ApiError> {
        let answer = self.outbound.call(request).await;
        answer.map_err(|error| self.unreachable(&error))
    }

    /// Verifies an identity for the client with this id, and returns its claims.
    pub(super) async fn verified(&self, identity: &str, client: &str) -> Result<Claims, ApiError> {
        if identity.len() > MAX_IDENTITY {
            return Err(self.misconfigured(
                "its identity is too large; the claim with the groups should have fewer of them",
            ));
        }
        let unverified = Unverified::read(identity).filter(|read| self.is_called(&read.issuer));
        let unverified =
            unverified.ok_or_else(|| self.misconfigured("its identity is of another issuer"))?;
        let wanted = unverified.wanted_key()?;
        let key = self.keys.find(&wanted).await?;
        let key = key.ok_or_else(|| {
            self.misconfigured("its identity is signed with a key that it does not publish")
        })?;
        let expected = Expected {
            issuer: self.issuer(),
            audiences: &[client.to_owned()],
            leeway_seconds: self.leeway_seconds,
        };
        verified(identity, wanted.algorithm, &key, expected)
            .map_err(|kind| self.misconfigured(reason(&kind)))
    }

    fn endpoint(&self, named: &str) -> Result<Url, ApiError> {
        discovery::endpoint(&self.issuer.0, named).map_err(|error| self.undiscovered(&error))
    }

    async fn document(&self) -> Result<Document, ApiError> {
        let mut kept = self.kept.lock().await;
        let is_fresh = |since: &Instant| since.elapsed() < self.fresh_for;
        if let Some((document, _)) = kept.document.as_ref().filter(|(_, since)| is_fresh(since)) {
            return Ok(document.clone());
        }
        if kept.failed.is_some_and(|at| at.elapsed() < PAUSE) {
            return Err(self.try_again());
        }
        match discovery::document(&self.outbound, &self.issuer.0).await {
            Ok(document) => {
                *kept = Kept {
                    document: Some((document.clone(), Instant::now())),
                    failed: None,
                };
                Ok(document)
            }
            Err(error) => {
                kept.failed = Some(Instant::now());
                Err(self.undiscovered(&error))
            }
        }
    }

    fn undiscovered(&self, error: &DiscoveryError) -> ApiError {
        self.unreachable(error)
    }

    /// 502: the issuer does not answer as it should. The cause goes to the log.
    pub(super) fn unreachable(&self, error: &dyn std::error::Error) -> ApiError {
        let (issuer, cause) = (self.issuer(), chain(error));
        tracing::error!(issuer, cause, "people cannot log in");
        self.try_again()
    }

    fn try_again(&self) -> ApiError {
        let detail = format!(
            "{} cannot be asked who you are right now; try again in a few seconds, and if it keeps failing, ask the operator.",
            self.host()
        );
        ApiError::new(Code::VcsUnreachable, detail).retry_after(PAUSE.as_secs())
    }

    /// 502: the answer of the issuer violates a rule.
    pub(super) fn misconfigured(&self, why: &str) -> ApiError {
        tracing::error!(issuer = self.issuer(), why, "people cannot log in");
        let detail = format!(
            "You cannot be logged in with the answer of {}: {why}; ask the operator.",
            self.host()
        );
        ApiError::new(Code::VcsUnreachable, detail)
    }
}

/// Why an identity is refused.
fn reason(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidSignature => "its identity has a wrong signature",
        ErrorKind::ExpiredSignature => {
            "its identity has expired already, so its clock and that of this service differ"
        }
        ErrorKind::ImmatureSignature => {
            "its identity is not valid yet, so its clock and that of this service differ"
        }
        ErrorKind::InvalidAudience => "its identity is for another client than LOGIN_CLIENT_ID",
        ErrorKind::MissingRequiredClaim(_) | ErrorKind::InvalidClaimFormat(_) => {
            "its identity lacks a claim that every identity must have"
        }
        _ => "its identity cannot be read",
    }
}
