//! The issuer of logins: its cached discovery document, and its keys.

use super::super::oidc::{
    Claims, IssuerKeys,
    discovery::{self, Document},
    token::{Expected, Unverified, verified},
};
use crate::error::{AccessError, Kind};
use config::access::{AccessLimits, LoginIssuer};
use domain::text::chain;
use forges::outbound::{Answer, Outbound, OutboundError};
use http::StatusCode;
use jsonwebtoken::errors::ErrorKind;
use reqwest::{RequestBuilder, Url};
use std::{
    sync::{Arc, Mutex as StdMutex, PoisonError},
    time::{Duration, Instant},
};
use tokio::sync::{Mutex, OwnedMutexGuard};

/// The pause after a failed fetch.
const PAUSE: Duration = Duration::from_secs(5);

/// How long an expired document is still used if the issuer does not answer.
const LAST_RESORT: Duration = Duration::from_secs(24 * 3_600);

/// The longest identity, in bytes. An identity with a thousand groups has about 50 KB.
const MAX_IDENTITY: usize = 128 << 10;

#[derive(Debug)]
pub(super) struct Provider {
    issuer: LoginIssuer,
    keys: IssuerKeys,
    outbound: Outbound,
    leeway_seconds: u64,
    fresh_for: Duration,
    kept: Arc<StdMutex<Kept>>,
    /// Locked during a fetch, so that concurrent logins share it.
    fetching: Arc<Mutex<()>>,
}

#[derive(Clone, Debug, Default)]
struct Kept {
    document: Option<(Document, Instant)>,
    failed: Option<Instant>,
}

impl Kept {
    /// Returns the document if it is younger than `age`.
    fn younger_than(&self, age: Duration) -> Option<Document> {
        let (document, since) = self.document.as_ref()?;
        (since.elapsed() < age).then(|| document.clone())
    }
}

impl Provider {
    pub(super) fn new(issuer: LoginIssuer, limits: &AccessLimits, outbound: Outbound) -> Self {
        Self {
            keys: IssuerKeys::new(&issuer.0, limits, outbound.clone()),
            issuer,
            outbound,
            leeway_seconds: limits.oidc_clock_skew_seconds,
            fresh_for: Duration::from_secs(limits.oidc_keys_seconds),
            kept: Arc::default(),
            fetching: Arc::default(),
        }
    }

    /// Returns the identifier of the issuer.
    pub(super) fn issuer(&self) -> &str {
        &self.issuer.0.text
    }

    pub(super) fn host(&self) -> &str {
        self.issuer.host()
    }

    /// Returns whether `issuer` is the identifier of this issuer.
    pub(super) fn is_called(&self, issuer: &str) -> bool {
        issuer.trim_end_matches('/') == self.issuer.0.text
    }

    /// Returns whether each answer names its issuer (RFC 9207).
    pub(super) async fn names_itself(&self) -> Result<bool, AccessError> {
        let document = self.document().await?;
        Ok(document.says("authorization_response_iss_parameter_supported"))
    }

    /// Returns the address of the login page. The service itself does not call it.
    pub(super) async fn authorization_endpoint(&self) -> Result<Url, AccessError> {
        let document = self.document().await?;
        let named = document.text("authorization_endpoint");
        let url = named.and_then(|named| named.parse::<Url>().ok());
        let is_safe = |url: &Url| url.scheme() == "https" || self.issuer.0.may_call(url);
        url.filter(is_safe).ok_or_else(|| {
            self.misconfigured("its discovery document has no usable authorization_endpoint")
        })
    }

    /// Returns the address for the exchange of codes, and whether the secret of the client belongs in the body.
    pub(super) async fn token_endpoint(&self) -> Result<(Url, bool), AccessError> {
        let document = self.document().await?;
        let has = |method| document.lists("token_endpoint_auth_methods_supported", method);
        // The default is client_secret_basic (OpenID Connect Discovery 1.0, section 3).
        let is_in_body = has("client_secret_post") && !has("client_secret_basic");
        let named = document.text("token_endpoint").unwrap_or_default();
        let url = discovery::endpoint(&self.issuer.0, named);
        let url = url.map_err(|error| self.unreachable(&error))?;
        Ok((url, is_in_body))
    }

    /// Returns the userinfo endpoint, if the issuer has one on a host that may be called.
    pub(super) async fn userinfo_endpoint(&self) -> Result<Option<Url>, AccessError> {
        let document = self.document().await?;
        let Some(named) = document.text("userinfo_endpoint") else {
            return Ok(None);
        };
        let url = discovery::endpoint(&self.issuer.0, named);
        if let Err(error) = &url {
            let cause = chain(error);
            tracing::warn!(cause, "the userinfo endpoint of an issuer is not called");
        }
        Ok(url.ok())
    }

    /// Starts a request to an address of the issuer.
    pub(super) fn request(&self, method: reqwest::Method, url: Url) -> RequestBuilder {
        self.outbound.request(method, url)
    }

    /// Sends a request whose failure does not end a login.
    pub(super) async fn try_call(&self, request: RequestBuilder) -> Result<Answer, OutboundError> {
        self.outbound.call(request).await
    }

    /// Sends a request.
    pub(super) async fn call(&self, request: RequestBuilder) -> Result<Answer, AccessError> {
        let answer = self.outbound.call(request).await;
        answer.map_err(|error| self.unreachable(&error))
    }

    /// Verifies an identity for the client with this id, and returns its claims.
    pub(super) async fn verified(
        &self,
        identity: &str,
        client: &str,
    ) -> Result<Claims, AccessError> {
        if identity.len() > MAX_IDENTITY {
            return Err(self.misconfigured(
                "its identity is too large; the claim with the groups should have fewer of them",
            ));
        }
        let unverified = Unverified::read(identity).filter(|read| self.is_called(&read.issuer));
        let unverified =
            unverified.ok_or_else(|| self.misconfigured("its identity is from another issuer"))?;
        let wanted = unverified
            .wanted_key()
            .map_err(|_| self.misconfigured("its identity is not signed with RS256 or ES256"))?;
        let key = self.keys.find(&wanted).await.map_err(|_| {
            tracing::error!(
                issuer = self.issuer(),
                "people cannot log in without its keys"
            );
            self.try_again()
        })?;
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

    async fn document(&self) -> Result<Document, AccessError> {
        if let Some(document) = self.kept().younger_than(self.fresh_for) {
            return Ok(document);
        }
        let old = || self.kept().younger_than(self.usable_for());
        let fetching = match (self.fetching.clone().try_lock_owned(), old()) {
            (Ok(fetching), _) => fetching,
            (Err(_), Some(document)) => return Ok(document),
            (Err(_), None) => self.fetching.clone().lock_owned().await,
        };
        let kept = self.kept();
        let is_paused = kept.failed.is_some_and(|at| at.elapsed() < PAUSE);
        if kept.younger_than(self.fresh_for).is_none() && !is_paused {
            self.fetch(fetching).await;
        }
        old().ok_or_else(|| self.try_again())
    }

    /// Fetches the document in a separate task: if the client disconnects, the pause after a failure still applies.
    async fn fetch(&self, fetching: OwnedMutexGuard<()>) {
        let (outbound, issuer) = (self.outbound.clone(), self.issuer.clone());
        let (kept, usable_for) = (self.kept.clone(), self.usable_for());
        let fetched = tokio::spawn(async move {
            let fetched = discovery::document(&outbound, &issuer.0).await;
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            match fetched {
                Ok(document) => {
                    *kept = Kept {
                        document: Some((document, Instant::now())),
                        failed: None,
                    };
                }
                Err(error) => {
                    kept.failed = Some(Instant::now());
                    let (issuer, cause) = (&issuer.0.text, chain(&error));
                    match kept.younger_than(usable_for) {
                        Some(_) => {
                            tracing::warn!(issuer, cause, "an old discovery document is used")
                        }
                        None => tracing::error!(issuer, cause, "people cannot log in"),
                    }
                }
            }
            drop(fetching);
        });
        if let Err(error) = fetched.await {
            tracing::error!(
                cause = chain(&error),
                "a discovery document was not fetched"
            );
        }
    }

    /// Returns the age up to which a document is used if the issuer does not answer.
    fn usable_for(&self) -> Duration {
        self.fresh_for.saturating_add(LAST_RESORT)
    }

    fn kept(&self) -> Kept {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clone()
    }

    /// 502: the call to the issuer failed. The log has the cause.
    pub(super) fn unreachable(&self, error: &dyn std::error::Error) -> AccessError {
        let (issuer, cause) = (self.issuer(), chain(error));
        tracing::error!(issuer, cause, "people cannot log in");
        self.try_again()
    }

    /// 502: the issuer is overloaded. No code causes this, so it does not count as a guess.
    pub(super) fn busy(&self, status: StatusCode) -> AccessError {
        let (issuer, status) = (self.issuer(), status.as_u16());
        tracing::error!(issuer, status, "people cannot log in");
        self.try_again()
    }

    fn try_again(&self) -> AccessError {
        let detail = format!(
            "{} cannot confirm who you are right now; try again in a few seconds, and if it keeps failing, ask the operator.",
            self.host()
        );
        AccessError::new(Kind::LoginIssuerUnreachable, detail).retry_after(PAUSE.as_secs())
    }

    /// 502: the answer of the issuer violates a rule.
    pub(super) fn misconfigured(&self, why: &str) -> AccessError {
        tracing::error!(issuer = self.issuer(), why, "people cannot log in");
        let detail = format!(
            "You cannot be logged in with the answer of {}: {why}; ask the operator.",
            self.host()
        );
        AccessError::new(Kind::LoginIssuerUnreachable, detail)
    }
}

/// Returns why an identity is refused.
fn reason(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::InvalidSignature => "its identity has a wrong signature",
        ErrorKind::ExpiredSignature => {
            "its identity has expired already, so its clock and the clock of this service differ"
        }
        ErrorKind::ImmatureSignature => {
            "its identity is not valid yet, so its clock and the clock of this service differ"
        }
        ErrorKind::InvalidAudience => "its identity is for another client than LOGIN_CLIENT_ID",
        ErrorKind::MissingRequiredClaim(_) | ErrorKind::InvalidClaimFormat(_) => {
            "its identity lacks a claim that every identity must have"
        }
        _ => "its identity cannot be read",
    }
}
