//! Authorizes administration: with an admin token in a header or, to read the pages for admins, in a browser's session.

use super::{
    Tokens, Uploaders,
    credential::{reader_token_of, token_of},
    failed_attempts::FailedAttempts,
    login,
    readers::{LastUses, Session},
};
use crate::error::{AccessError, Kind};
use config::access::{Access, TrustedProxies};
use http::{HeaderMap, HeaderValue};
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
    /// The sessions of browsers.
    pub session: Session,
}

/// The proof that a request may administer. Only [`Admins`] creates it.
#[derive(Clone, Debug)]
pub struct Admin {
    /// The actor for the audit log.
    pub actor: Actor,
    /// The scope of the token.
    pub scope: Scope,
    /// Whether the browser has a session, and so can be logged out.
    pub has_session: bool,
}

impl Admins {
    /// Creates the authorization of administration for the service at `public_url`.
    pub fn new(access: &Access, uploaders: &Uploaders, store: &Store, public_url: &str) -> Self {
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
    pub async fn admit(&self, headers: &HeaderMap, peer: IpAddr) -> Result<Admin, AccessError> {
        let token = token_of(headers).map_err(|error| match error.kind {
            Kind::MissingToken => missing(),
            _ => error,
        })?;
        self.counted(token, headers, peer, false).await
    }

    /// Authorizes a form of the dashboard that has the token in a field.
    pub async fn admit_token(
        &self,
        token: &str,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<Admin, AccessError> {
        let token = token.trim();
        if token.is_empty() {
            return Err(missing());
        }
        self.counted(token, headers, peer, false).await
    }

    /// Authorizes a request that only reads. The token is in its header or in its session.
    pub async fn admit_reader(
        &self,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<Admin, AccessError> {
        // One valid token is enough: the header may be for a proxy, or hold another kind of token than the session. The secret of
        // a person's session is not a token.
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
                Err(error) if error.kind == Kind::Failed => return Err(error),
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
    pub async fn log_in(
        &self,
        token: &str,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<HeaderValue, AccessError> {
        let token = token.trim();
        if token.is_empty() {
            return Err(AccessError::invalid_token("Enter an admin token."));
        }
        self.counted(token, headers, peer, true).await?;
        let cookie = self.session.begin(token);
        cookie.ok_or_else(AccessError::admin_token_required)
    }

    async fn counted(
        &self,
        token: &str,
        headers: &HeaderMap,
        peer: IpAddr,
        has_session: bool,
    ) -> Result<Admin, AccessError> {
        let admin = self.recognise(token, headers, peer, has_session).await;
        admin.map_err(|refusal| self.count(refusal, headers, peer))
    }

    async fn recognise(
        &self,
        token: &str,
        headers: &HeaderMap,
        peer: IpAddr,
        has_session: bool,
    ) -> Result<Admin, AccessError> {
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

    /// Counts an invalid token. Returns 429 `too_many_requests` instead of `refusal` after too many from one address.
    fn count(&self, refusal: AccessError, headers: &HeaderMap, peer: IpAddr) -> AccessError {
        if !refusal.is_unauthorized() {
            return refusal;
        }
        let address = self.proxies.client(peer, headers);
        self.failed_attempts.counted(refusal, address)
    }
}

fn missing() -> AccessError {
    AccessError::new(
        Kind::MissingToken,
        "This needs an admin token: send one in the Authorization header (`Authorization: Bearer <token>`).",
    )
}
