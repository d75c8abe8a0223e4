//! Who may read where reading is protected: whoever has a read token, and whom a trusted proxy names.

mod advice;
mod last_uses;
mod session;
mod signed_links;

pub(super) use last_uses::LastUses;
pub(crate) use session::Session;
pub(crate) use signed_links::{LinkSigner, Pass};

use super::{Tokens, Uploaders, credential::reader_token_of, failed_attempts::FailedAttempts};
use crate::{
    config::access::{Access, TrustedProxies},
    http::error::{ApiError, Code},
    store::{Store, StoreError},
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use std::net::IpAddr;

/// What the key is called that addresses of reports are signed with.
const LINK_KEY: &str = "report-links";

/// All who may read. Only where reading is protected is there such a value.
#[derive(Clone, Debug)]
pub struct Readers {
    tokens: Tokens,
    /// Of its own: what a browser or a proxy sends along by itself shall not keep uploads out.
    failed_attempts: FailedAttempts,
    proxies: TrustedProxies,
    user_header: Option<HeaderName>,
    last_uses: LastUses,
    pub(crate) session: Session,
    pub(crate) links: LinkSigner,
    pub(crate) open_badges: bool,
}

/// The proof that a request comes from somebody who may read; nothing else makes one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader {
    has_session: bool,
}

impl Reader {
    /// Whether this is a browser that was logged in here, and can be logged out.
    pub(crate) fn has_session(self) -> bool {
        self.has_session
    }
}

impl Readers {
    /// Those whom the operator lets in; none where everybody may read.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn open(
        access: &Access,
        uploaders: &Uploaders,
        store: &Store,
        public_url: &str,
    ) -> Result<Option<Self>, StoreError> {
        if !access.protect_reading {
            return Ok(None);
        }
        if let Some(advice) = advice::advice(access, &store.tokens().await?) {
            tracing::warn!("{advice}");
        }
        let key = store.signing_key(LINK_KEY).await?;
        Ok(Some(Self {
            tokens: uploaders.tokens.clone(),
            failed_attempts: FailedAttempts::new(&access.limits),
            proxies: access.trusted_proxies.clone(),
            user_header: access.user_header.0.clone(),
            last_uses: LastUses::new(store.clone()),
            session: Session::new(public_url, access.limits.session_seconds),
            links: LinkSigner::new(&key, access.limits.report_link_seconds),
            open_badges: access.open_badges,
        }))
    }

    /// Lets a request in that may read, or says why not.
    ///
    /// # Errors
    ///
    /// 401 `missing_token` or `invalid_token`; 429 `too_many_requests`; 503 when the database fails.
    pub(crate) async fn admit(
        &self,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<Reader, ApiError> {
        if self.is_named_by_proxy(headers, peer) {
            return Ok(Reader { has_session: false });
        }
        // One that is good is enough: the other may be meant for a proxy in between, or be of a session that has ended.
        let shown = [
            (reader_token_of(headers), false),
            (self.session.token_of(headers), true),
        ];
        let mut refusal = None;
        for (token, has_session) in shown {
            let Some(token) = token else { continue };
            match self.recognise(&token).await {
                Ok(()) => return Ok(Reader { has_session }),
                Err(error) if error.status() == StatusCode::UNAUTHORIZED => {
                    refusal.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(match refusal {
            Some(refusal) => self.count(refusal, headers, peer),
            None => missing(),
        })
    }

    /// Begins the session of a browser: the cookie for it, where the token is one for reading.
    ///
    /// # Errors
    ///
    /// As [`Self::admit`].
    pub(crate) async fn log_in(
        &self,
        token: &str,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<HeaderValue, ApiError> {
        let token = token.trim();
        if token.is_empty() {
            return Err(ApiError::invalid_token("Enter a read token."));
        }
        match self.recognise(token).await {
            Ok(()) => self.session.begin(token).ok_or_else(not_for_reading),
            Err(error) if error.status() == StatusCode::UNAUTHORIZED => {
                Err(self.count(error, headers, peer))
            }
            Err(error) => Err(error),
        }
    }

    /// Only a proxy that the operator lists is believed, and that is who holds the connection: what a request says of the
    /// way it took, anybody can write. A header that came twice may be the client's own beside the proxy's.
    fn is_named_by_proxy(&self, headers: &HeaderMap, peer: IpAddr) -> bool {
        let Some(name) = &self.user_header else {
            return false;
        };
        let mut values = headers.get_all(name).iter();
        let user = values.next().map(|value| value.as_bytes().trim_ascii());
        // What some proxies write where nobody has logged in.
        let is_nobody = |user: &[u8]| {
            ["", "-", "(null)", "null"]
                .map(str::as_bytes)
                .contains(&user)
        };
        let is_named = user.is_some_and(|user| !is_nobody(user)) && values.next().is_none();
        is_named && self.proxies.contains(peer)
    }

    async fn recognise(&self, token: &str) -> Result<(), ApiError> {
        let holder = self.tokens.reader(token).await?;
        let holder = holder.ok_or_else(not_for_reading)?;
        if let Some(id) = holder.id {
            self.last_uses.note(id);
        }
        Ok(())
    }

    /// Counts a refused token: whose address has too many of them hears that instead.
    fn count(&self, refusal: ApiError, headers: &HeaderMap, peer: IpAddr) -> ApiError {
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
        "Only readers are served here: send a read token in the Authorization header (`Authorization: Bearer <token>`), or log in with it at /login.",
    )
}

fn not_for_reading() -> ApiError {
    ApiError::invalid_token("This is no read token of this service; ask its operator for one.")
}
