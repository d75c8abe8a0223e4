//! Authorizes administration: with an admin token in a header, or in a browser with the session of an admin token or of a person
//! whose group may administer.

use super::{
    Tokens, Uploaders,
    credential::{reader_token_of, token_of},
    failed_attempts::FailedAttempts,
    login,
    readers::{LastUses, Reader, Session},
};
use crate::{
    admin::Admin,
    error::{AccessError, Kind},
};
use config::access::{Access, TrustedProxies};
use http::{HeaderMap, HeaderValue};
use std::net::IpAddr;
use store::Store;

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
        let address = self.proxies.client(peer, headers);
        self.counted(token, address).await
    }

    /// Authorizes a form of the dashboard that has the token in a field.
    pub async fn admit_token(
        &self,
        token: &str,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<Admin, AccessError> {
        match token.trim() {
            "" => Err(missing()),
            token => {
                self.counted(token, self.proxies.client(peer, headers))
                    .await
            }
        }
    }

    /// Authorizes a request that only reads. The token is in its header or in its session.
    pub async fn admit_reader(
        &self,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<Admin, AccessError> {
        let address = self.proxies.client(peer, headers);
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
            match self.recognise(&token, address).await {
                Ok(admin) => {
                    return Ok(Admin {
                        has_session,
                        ..admin
                    });
                }
                Err(error) if error.kind == Kind::Failed => return Err(error),
                Err(error) => {
                    refusal.get_or_insert(error);
                }
            }
        }
        let counted = |refusal| self.failed_attempts.counted(refusal, address);
        Err(refusal.map_or_else(missing, counted))
    }

    /// Authorizes a form of the dashboard: by the reader whom the guard recognised, or by a token as in
    /// [`Self::admit_reader`]. The caller has checked that a page of the dashboard sent the form.
    ///
    /// # Errors
    ///
    /// As [`Self::admit_reader`]; 403 `admin_token_required` for a person who may not administer.
    pub async fn admit_form(
        &self,
        reader: Option<&Reader>,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<Admin, AccessError> {
        if let Some(admin) = reader.and_then(|reader| reader.admin.clone()) {
            return Ok(admin);
        }
        let admitted = self.admit_reader(headers, peer).await;
        admitted.map_err(|refusal| match (refusal.kind, reader) {
            (Kind::MissingToken, Some(_)) => AccessError::admin_token_required(),
            _ => refusal,
        })
    }

    /// Returns the admin of a browser's session on a page that everybody may see. A refused session is no failed attempt there: it
    /// may belong to a reader, or have ended.
    pub async fn of_session(&self, headers: &HeaderMap, peer: IpAddr) -> Option<Admin> {
        let token = self.session.token_of(headers)?;
        let admin = self.recognise(&token, self.proxies.client(peer, headers));
        let admin = admin.await.ok()?;
        Some(Admin {
            has_session: true,
            ..admin
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
        let address = self.proxies.client(peer, headers);
        self.counted(token, address).await?;
        let cookie = self.session.begin(token);
        cookie.ok_or_else(AccessError::admin_token_required)
    }

    async fn counted(&self, token: &str, address: IpAddr) -> Result<Admin, AccessError> {
        let admin = self.recognise(token, address).await;
        admin.map_err(|refusal| self.failed_attempts.counted(refusal, address))
    }

    async fn recognise(&self, token: &str, address: IpAddr) -> Result<Admin, AccessError> {
        let token = self.tokens.admin(token).await?;
        self.last_uses.note(token.id);
        Ok(Admin::of_token(&token, address))
    }
}

fn missing() -> AccessError {
    AccessError::new(
        Kind::MissingToken,
        "This needs an admin token: send one in the Authorization header (`Authorization: Bearer <token>`).",
    )
}
