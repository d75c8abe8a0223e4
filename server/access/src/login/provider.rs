//! The issuer of logins: its cached discovery document, and its keys.

use super::super::oidc::{
    Cached, Claims, IssuerKeys, PAUSE,
    discovery::{self, Document},
    token::{Expected, Unverified, verified},
};
use crate::error::{AccessError, Kind};
use config::access::{AccessLimits, Issuer};
use domain::text::chain;
use forges::outbound::{Answer, Outbound};
use http::StatusCode;
use jsonwebtoken::errors::ErrorKind;
use reqwest::{RequestBuilder, Url};
use std::sync::Arc;

/// The longest identity, in bytes. An identity with a thousand groups has about 50 KB.
const MAX_IDENTITY: usize = 128 << 10;

#[derive(Debug)]
pub(super) struct Provider {
    pub(super) issuer: Issuer,
    keys: IssuerKeys,
    pub(super) outbound: Outbound,
    leeway_seconds: u64,
    document: Arc<Cached<Document>>,
}

impl Provider {
    pub(super) fn new(issuer: Issuer, limits: &AccessLimits, outbound: Outbound) -> Self {
        let messages = ["an old discovery document is used", "people cannot log in"];
        let document = Cached::new(&issuer.text, limits.oidc_keys_seconds, messages);
        Self {
            keys: IssuerKeys::new(&issuer, limits, outbound.clone()),
            issuer,
            outbound,
            leeway_seconds: limits.oidc_clock_skew_seconds,
            document: Arc::new(document),
        }
    }

    /// Returns whether `issuer` is the identifier of this issuer.
    pub(super) fn is_called(&self, issuer: &str) -> bool {
        issuer.trim_end_matches('/') == self.issuer.text
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
        let is_safe = |url: &Url| url.scheme() == "https" || self.issuer.may_call(url);
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
        let url = discovery::endpoint(&self.issuer, named);
        let url = url.map_err(|error| self.unreachable(&error))?;
        Ok((url, is_in_body))
    }

    /// Returns the userinfo endpoint, if the issuer has one on a host that may be called.
    pub(super) async fn userinfo_endpoint(&self) -> Result<Option<Url>, AccessError> {
        let document = self.document().await?;
        let Some(named) = document.text("userinfo_endpoint") else {
            return Ok(None);
        };
        let url = discovery::endpoint(&self.issuer, named);
        if let Err(error) = &url {
            let cause = chain(error);
            tracing::warn!(cause, "the userinfo endpoint of an issuer is not called");
        }
        Ok(url.ok())
    }

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
            let why =
                "its identity is too large; the claim with the groups should have fewer of them";
            return Err(self.misconfigured(why));
        }
        let unverified = Unverified::read(identity).filter(|read| self.is_called(&read.issuer));
        let unverified =
            unverified.ok_or_else(|| self.misconfigured("its identity is from another issuer"))?;
        let wanted = unverified
            .wanted_key()
            .map_err(|_| self.misconfigured("its identity is not signed with RS256 or ES256"))?;
        let key = self.keys.find(&wanted).await.map_err(|_| {
            tracing::error!(
                issuer = self.issuer.text,
                "people cannot log in without its keys"
            );
            self.try_again()
        })?;
        let key = key.ok_or_else(|| {
            self.misconfigured("its identity is signed with a key that it does not publish")
        })?;
        let expected = Expected {
            issuer: &self.issuer.text,
            audiences: &[client.to_owned()],
            leeway_seconds: self.leeway_seconds,
        };
        verified(identity, wanted.algorithm, &key, expected)
            .map_err(|kind| self.misconfigured(reason(&kind)))
    }

    /// In a separate task: if the client disconnects, the pause after a failed fetch still applies.
    async fn document(&self) -> Result<Document, AccessError> {
        let (outbound, issuer) = (self.outbound.clone(), self.issuer.clone());
        let document = self.document.clone();
        let finding = tokio::spawn(async move {
            let fetch = discovery::document(&outbound, &issuer);
            document
                .find(|document| Some(document.clone()), fetch)
                .await
        });
        match finding.await {
            Ok(Ok(Some(document))) => Ok(document),
            Ok(_) => Err(self.try_again()),
            Err(error) => Err(self.unreachable(&error)),
        }
    }

    /// 502: the call to the issuer failed. The log has the cause.
    pub(super) fn unreachable(&self, error: &dyn std::error::Error) -> AccessError {
        let (issuer, cause) = (&self.issuer.text, chain(error));
        tracing::error!(issuer, cause, "people cannot log in");
        self.try_again()
    }

    /// 502: the issuer is overloaded. No code causes this, so it does not count as a guess.
    pub(super) fn busy(&self, status: StatusCode) -> AccessError {
        let (issuer, status) = (&self.issuer.text, status.as_u16());
        tracing::error!(issuer, status, "people cannot log in");
        self.try_again()
    }

    fn try_again(&self) -> AccessError {
        let detail = format!(
            "{} cannot confirm who you are right now; try again in a few seconds, and if it keeps failing, ask the operator.",
            self.issuer.host()
        );
        AccessError::new(Kind::LoginIssuerUnreachable, detail).retry_after(PAUSE.as_secs())
    }

    /// 502: the answer of the issuer violates a rule.
    pub(super) fn misconfigured(&self, why: &str) -> AccessError {
        tracing::error!(issuer = self.issuer.text, why, "people cannot log in");
        let detail = format!(
            "You cannot be logged in with the answer of {}: {why}; ask the operator.",
            self.issuer.host()
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
