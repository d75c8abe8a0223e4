//! Authorizes administration: with an admin token in a header or, to read the pages for admins, in a browser's session.

use super::{
    Tokens, Uploaders,
    credential::{reader_token_of, token_of},
    failed_attempts::FailedAttempts,
    login,
    readers::{LastUses, Session},
};
use crate::http::error::{ApiError, Code};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use config::access::{Access, TrustedProxies};
use domain::AuditScope;
use std::net::IpAddr;
use store::{
    Scope, Store,
    actor::{Actor, ActorKind},
};

/// Authorizes administration.
#[derive(Clone, Debug)]
pub struct Admins {
    tokens: Tokens,
    /// Separate, so that failed attempts here do not block uploads or readers.
    failed_attempts: FailedAttempts,
    proxies: TrustedProxies,
    last_uses: LastUses,
    pub(crate) session: Session,
}

/// The proof that a request may administer. Only [`Admins`] creates it.
#[derive(Clone, Debug)]
pub(crate) struct Admin {
    /// The actor for the audit log.
    pub(crate) actor: Actor,
    /// The scope of the token.
    pub(crate) scope: Scope,
    /// Whether the browser has a session, and so can be logged out.
    pub(crate) has_session: bool,
}

impl Admin {
    /// Returns which rows of the audit log this token may read.
    pub(crate) fn audit_scope(&self) -> AuditScope {
        match self.scope.clone() {
            Scope::All => AuditScope::All,
            Scope::Org(org) => AuditScope::Org(org),
            Scope::Repository(repository) => AuditScope::Repository(repository),
        }
    }
}

impl Admins {
    /// Creates the authorization of administration for the service at `public_url`.
    pub(crate) fn new(
        access: &Access,
        uploaders: &Uploaders,
        store: &Store,
        public_url: &str,
    ) -> Self {
        Self {
            tokens: uploaders.tokens.clone(),
            failed_attempts: FailedAttempts::new(&access.limits),
            proxies: access.trusted_proxies.clone(),
            last_uses: LastUses::new(store.clone()),
            session: Session::new(public_url, access.limits.session_seconds),
        }
    }

    /// Authorizes a request that changes something. Its token must be in the `Authorization` header, which a browser
    /// never sends for a page of another site.
    ///
    /// # Errors
    ///
    /// 401 `missing_token` or `invalid_token`; 403 `admin_token_required`; 429 `too_many_requests`; 503 when the database
    /// fails.
    pub(crate) async fn admit(&self, headers: &HeaderMap, peer: IpAddr) -> Result<Admin, ApiError> {
        let token = token_of(headers).map_err(|error| match error.code() {
            Code::MissingToken => missing(),
            _ => error,
        })?;
        let admin = self.recognise(token, headers, peer, false).await;
        admin.map_err(|refusal| self.count(refusal, headers, peer))
    }

    /// The same for a form of the dashboard that has the token as one of its fields.
    ///
    /// # Errors
    ///
    /// Those of [`Self::admit`].
    pub(crate) async fn admit_token(
        &self,
        token: &str,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<Admin, ApiError> {
        let token = token.trim();
        if token.is_empty() {
            return Err(missing());
        }
        let admin = self.recognise(token, headers, peer, false).await;
        admin.map_err(|refusal| self.count(refusal, headers, peer))
    }

    /// Authorizes a request that only reads. Its token may also be that of a session.
    ///
    /// # Errors
    ///
    /// Those of [`Self::admit`].
    pub(crate) async fn admit_reader(
        &self,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<Admin, ApiError> {
        // The header may be for a proxy in between, or hold another kind of token than the session. The session of a person
        // has no token.
        let of_session = self.session.token_of(headers);
        let shown = [
            (reader_token_of(headers), false),
            (of_session.filter(|text| !login::is_secret(text)), true),
        ];
        let mut refusal = None;
        for (token, has_session) in shown {
            let Some(token) = token else { continue };
            match self.recognise(&token, headers, peer, has_session).await {
                Ok(admin) => return Ok(admin),
                Err(error) if error.status() == StatusCode::SERVICE_UNAVAILABLE => {
                    return Err(error);
                }
                Err(error) => {
                    refusal.get_or_insert(error);
                }
            }
        }
        Err(match refusal {
            Some(refusal) => self.count(refusal, headers, peer),
            None => missing(),
        })
    }

    /// Starts the session of a browser: returns its cookie if the token is an admin token.
    ///
    /// # Errors
    ///
    /// Those of [`Self::admit`].
    pub(crate) async fn log_in(
        &self,
        token: &str,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<HeaderValue, ApiError> {
        let token = token.trim();
        if token.is_empty() {
            return Err(ApiError::invalid_token("Enter an admin token."));
        }
        let admin = self.recognise(token, headers, peer, true).await;
        admin.map_err(|refusal| self.count(refusal, headers, peer))?;
        let cookie = self.session.begin(token);
        cookie.ok_or_else(ApiError::admin_token_required)
    }

    async fn recognise(
        &self,
        token: &str,
        headers: &HeaderMap,
        peer: IpAddr,
        has_session: bool,
    ) -> Result<Admin, ApiError> {
        let (holder, scope) = self.tokens.admin(token).await?;
        let address = self.proxies.client(peer, headers);
        if let Some(id) = holder.id {
            self.last_uses.note(id);
        }
        Ok(Admin {
            actor: Actor::client(ActorKind::Token, &holder.name, address),
            scope,
            has_session,
        })
    }

    /// Counts an invalid token. After too many from one address, the refusal says that instead.
    fn count(&self, refusal: ApiError, headers: &HeaderMap, peer: IpAddr) -> ApiError {
        if refusal.status() != StatusCode::UNAUTHORIZED {
            return refusal;
        }
        let address = self.proxies.client(peer, headers);
        match self.failed_attempts.add_of_address(address) {
            Ok(()) => refusal,
            Err(too_many) => too_many,
        }
    }
}

fn missing() -> ApiError {
    ApiError::new(
        Code::MissingToken,
        "This needs an admin token: send one in the Authorization header (`Authorization: Bearer <token>`).",
    )
}
