//! Authorizes reading if it is protected: with a read token, with the session of a person who logged in at an issuer, or by a
//! trusted proxy that names the user.

mod advice;
mod last_uses;
mod session;
mod signed_links;

pub(super) use last_uses::LastUses;
pub(crate) use session::Session;
pub use signed_links::{LinkSigner, Pass};

use super::{
    Answer, PeopleLogin, PerAddressLimiter, Tokens, Uploaders,
    credential::reader_token_of,
    failed_attempts::FailedAttempts,
    login::{self, LoggedIn},
    oidc::shown,
};
use crate::{
    admin::Admin,
    error::{AccessError, Kind},
};
use config::access::{Access, AdminGroups, ReadOrgs, TrustedProxies};
use domain::text::chain;
use forges::outbound::Outbound;
use http::{Extensions, HeaderMap, HeaderName, HeaderValue};
use std::{net::IpAddr, sync::Arc};
use store::{Purpose, ReadScope, Store, StoreError};
use tokio_util::task::TaskTracker;

/// The name of the key that signs the addresses of reports.
const LINK_KEY: &str = "report-links";

/// Authorizes reading. Exists only if reading is protected.
#[derive(Clone, Debug)]
pub struct Readers {
    tokens: Tokens,
    /// Failed attempts to read, counted separately from failed uploads: a browser or a proxy may send an invalid token with every
    /// request, and this must not block uploads from the same address.
    failed_attempts: FailedAttempts,
    failed_logins: FailedAttempts,
    logins_per_address: PerAddressLimiter,
    proxies: TrustedProxies,
    user_header: Option<HeaderName>,
    groups_header: Option<HeaderName>,
    read_orgs: ReadOrgs,
    admin_groups: AdminGroups,
    last_uses: LastUses,
    /// The sessions of browsers.
    pub session: Session,
    /// The login at the operator's issuer, if one is set.
    pub people: Option<PeopleLogin>,
    /// Signs the addresses of HTML reports.
    pub links: LinkSigner,
    /// Whether everybody may see badges.
    pub open_badges: bool,
    tasks: TaskTracker,
}

/// The proof that a request may read. Only [`Readers`] creates it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reader {
    /// Whether the browser has a session, and so can be logged out.
    pub has_session: bool,
    /// The repositories that the request may read.
    pub scope: ReadScope,
    /// The name of the person who logged in at the issuer, if any.
    pub person: Option<Arc<str>>,
    /// Whether and what the reader may administer too.
    pub admin: Option<Admin>,
}

impl Reader {
    fn new(scope: ReadScope, person: Option<Arc<str>>, admin: Option<Admin>) -> Self {
        Self {
            has_session: false,
            scope,
            person,
            admin,
        }
    }

    /// Returns the reader of a request for a badge that everybody may see (`OPEN_BADGES`).
    pub fn of_open_badge() -> Self {
        Self::new(ReadScope::ALL, None, None)
    }
}

/// Returns what a request may read. If reading is protected, a request without a [`Reader`] may read nothing.
pub fn read_scope_of(request: &Extensions, is_protected: bool) -> ReadScope {
    match request.get::<Reader>() {
        Some(reader) => reader.scope.clone(),
        None if is_protected => ReadScope::nothing(),
        None => ReadScope::ALL,
    }
}

impl Readers {
    /// Creates the authorization of reading. `None` if reading is not protected.
    pub async fn open(
        access: &Access,
        uploaders: &Uploaders,
        store: &Store,
        public_url: &str,
        outbound: &Outbound,
    ) -> Result<Option<Self>, StoreError> {
        if !access.protect_reading {
            return Ok(None);
        }
        if let Some(advice) = advice::advice(access, &store.operator().tokens().await?) {
            tracing::warn!("{advice}");
        }
        let key = store.writer().signing_key(LINK_KEY).await?;
        Ok(Some(Self {
            tokens: uploaders.tokens.clone(),
            failed_attempts: FailedAttempts::new(&access.limits),
            failed_logins: FailedAttempts::of_logins(&access.limits),
            logins_per_address: PerAddressLimiter::new(&access.limits),
            proxies: access.trusted_proxies.clone(),
            user_header: access.user_header.0.clone(),
            groups_header: access.groups_header.0.clone(),
            read_orgs: access.login.read_orgs.clone(),
            admin_groups: access.login.admin_groups.clone(),
            last_uses: LastUses::new(store.clone()),
            session: Session::new(public_url, access.limits.session_seconds),
            people: PeopleLogin::new(access, public_url, outbound, store),
            links: LinkSigner::new(&key, access.limits.report_link_seconds),
            open_badges: access.open_badges,
            tasks: uploaders.tasks.clone(),
        }))
    }

    /// Authorizes a request that reads.
    ///
    /// # Errors
    ///
    /// 401 `missing_token` or `invalid_token`; 429 `too_many_requests`; 503 when the database fails.
    pub async fn admit(&self, headers: &HeaderMap, peer: IpAddr) -> Result<Reader, AccessError> {
        if self.is_named_by_proxy(headers, peer) {
            return self.of_proxy(headers, peer);
        }
        let address = self.proxies.client(peer, headers);
        // A request can have a token in a header and one in its cookie. One valid token is enough: the header may be for a proxy,
        // and the session of the cookie may have ended.
        let shown = [
            (reader_token_of(headers), false),
            (self.session.token_of(headers), true),
        ];
        let (mut refusal, mut counts) = (None, false);
        for (token, has_session) in shown {
            let Some(token) = token else { continue };
            let people = self.people.as_ref();
            let people = people.filter(|_| has_session && login::is_secret(&token));
            let recognised = match people {
                Some(people) => {
                    let session = people.of_session(&token, address).await;
                    session.map(|(person, scope, admin)| Reader::new(scope, Some(person), admin))
                }
                None => self.recognise(&token, address).await,
            };
            match recognised {
                Ok(reader) => {
                    let admin = reader.admin.map(|admin| Admin {
                        has_session,
                        ..admin
                    });
                    return Ok(Reader {
                        has_session,
                        admin,
                        ..reader
                    });
                }
                Err(error) if error.is_unauthorized() => {
                    refusal.get_or_insert(error);
                    // A refused secret of a session is not counted as a failed attempt: it is too long to guess, so it comes from
                    // a session that has ended.
                    counts |= people.is_none();
                }
                Err(error) => return Err(error),
            }
        }
        Err(match refusal {
            Some(refusal) if !counts => refusal,
            Some(refusal) => self.failed_attempts.counted(refusal, address),
            None => self.missing(),
        })
    }

    /// Starts the session of a browser: returns its cookie if the token is a read token.
    pub async fn log_in(
        &self,
        token: &str,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<HeaderValue, AccessError> {
        let token = token.trim();
        if token.is_empty() {
            return Err(AccessError::invalid_token("Enter a read token."));
        }
        let address = self.proxies.client(peer, headers);
        let recognised = self.recognise(token, address).await;
        recognised.map_err(|refusal| self.failed_attempts.counted(refusal, address))?;
        self.replace(headers).await;
        self.session.begin(token).ok_or_else(not_for_reading)
    }

    /// Completes a login at the issuer. Returns the cookie of the new session, and the path that the browser opens next.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token`; 403 `not_a_reader`; 429 `too_many_requests` after too many failed logins from one address; 502
    /// `login_issuer_unreachable`; 503 when the database fails.
    pub async fn complete(
        &self,
        people: &PeopleLogin,
        answer: Answer<'_>,
        headers: &HeaderMap,
        peer: IpAddr,
    ) -> Result<(HeaderValue, String), AccessError> {
        let attempt = people.attempt(answer, headers)?;
        let code = people.code(answer).await?;
        let address = self.proxies.client(peer, headers);
        // An address could send many logins at once. Without this limit, all would reach the issuer before the first failure is
        // counted.
        let permit = self.logins_per_address.acquire(address).await?;
        self.failed_logins.check_address(address)?;
        // In a separate task: if the client disconnects, its failure is still counted.
        let (of_task, failed) = (people.clone(), self.failed_logins.clone());
        let completing = self.tasks.spawn(async move {
            let done = of_task.complete(&attempt, &code).await;
            // Only a 401 is counted. If the issuer does not answer (502), or the person may not read (403), nobody guessed.
            let counted = done.map_err(|refusal| failed.counted(refusal, address));
            // Release the permit only after counting: the next login checks the count.
            drop(permit);
            counted
        });
        let completed = completing.await?;
        // The issuer accepts a code only once.
        let LoggedIn { secret, next } = completed.map_err(AccessError::not_repeated)?;
        self.replace(headers).await;
        let cookie = self.session.begin_for(&secret, people.seconds());
        Ok((cookie.ok_or_else(not_for_reading)?, next))
    }

    /// Ends the session that a new one replaces in a browser. A failure does not fail the login.
    async fn replace(&self, headers: &HeaderMap) {
        if let Err(error) = self.log_out(headers).await {
            let cause = error.cause.as_ref().map(|cause| chain(cause.error()));
            tracing::warn!(
                cause,
                "a replaced session was not ended, and lasts until its time is over"
            );
        }
    }

    /// Ends the session of a person in every process. For the session of a token this does nothing: the caller deletes the
    /// cookie, and the token stays valid.
    pub async fn log_out(&self, headers: &HeaderMap) -> Result<(), AccessError> {
        let secret = self.session.token_of(headers);
        match (&self.people, secret) {
            (Some(people), Some(secret)) if login::is_secret(&secret) => people.end(&secret).await,
            _ => Ok(()),
        }
    }

    /// Returns whether a trusted proxy names a user. The peer of the connection must be listed, because anybody can send
    /// forwarding headers.
    fn is_named_by_proxy(&self, headers: &HeaderMap, peer: IpAddr) -> bool {
        let Some(name) = &self.user_header else {
            return false;
        };
        let user = only(headers, name).map(<[u8]>::trim_ascii);
        // Some proxies send these values if no user is logged in.
        let is_nobody = |user: &[u8]| {
            ["", "-", "(null)", "null"]
                .map(str::as_bytes)
                .contains(&user)
        };
        user.is_some_and(|user| !is_nobody(user)) && self.proxies.contains(peer)
    }

    /// Returns what a person whom a trusted proxy names may read.
    fn of_proxy(&self, headers: &HeaderMap, peer: IpAddr) -> Result<Reader, AccessError> {
        let (scope, admin) = match &self.groups_header {
            None => (ReadScope::ALL, None),
            Some(name) => {
                let groups = only(headers, name).and_then(|groups| str::from_utf8(groups).ok());
                let groups = groups.unwrap_or_default().split(',');
                // Only spaces and tabs around a name are removed: other white space is part of the name, as in the groups of an
                // issuer.
                let groups = groups.map(|group| group.trim_matches([' ', '\t']));
                let groups = groups.filter(|group| !group.is_empty());
                let groups: Vec<_> = groups.map(str::to_owned).collect();
                let scope = self.read_orgs.scope_of(&groups);
                if scope.is_nothing() {
                    let start = "Your proxy has logged you in";
                    return Err(login::not_a_reader(start, &groups));
                }
                let user = self.user_header.as_ref();
                let user = user
                    .and_then(|name| only(headers, name))
                    .unwrap_or_default();
                let user = shown(&String::from_utf8_lossy(user));
                let address = self.proxies.client(peer, headers);
                let scopes = self.admin_groups.scopes_of(&groups);
                (scope, Admin::of_person(&user, scopes, address))
            }
        };
        Ok(Reader::new(scope, None, admin))
    }

    /// Returns what a token may read.
    async fn recognise(&self, token: &str, address: IpAddr) -> Result<Reader, AccessError> {
        let token = self.tokens.reader(token).await?;
        let token = token.ok_or_else(not_for_reading)?;
        self.last_uses.note(token.id);
        let admin = token.purpose == Purpose::Admin;
        let admin = admin.then(|| Admin::of_token(&token, address));
        Ok(Reader::new(ReadScope::of([token.scope]), None, admin))
    }

    fn missing(&self) -> AccessError {
        let ways = match &self.people {
            Some(people) => format!(
                "In a browser, log in at /login with a read token or with your account at {}.",
                people.host()
            ),
            None => "In a browser, log in at /login with a read token.".to_owned(),
        };
        AccessError::new(
            Kind::MissingToken,
            format!(
                "Reading is protected here. Send a read token in the Authorization header (`Authorization: Bearer <token>`). {ways}"
            ),
        )
    }
}

/// Returns the value of a header of a proxy. If the header occurs twice, the client may have sent one of them, so neither counts.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a [u8]> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    values.next().is_none().then_some(first.as_bytes())
}

fn not_for_reading() -> AccessError {
    AccessError::invalid_token(
        "This is not a read token of this service; ask the operator for one.",
    )
}
