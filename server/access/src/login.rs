//! The login of people at an OpenID Connect issuer: the authorization code flow with PKCE, and the sessions that it starts.
//!
//! OpenID Connect Core 1.0, section 3.1; PKCE is RFC 7636. The operator's rules for groups are applied to each request, so that
//! they are never older than the settings.

mod attempt;
mod exchange;
mod person;
mod provider;

use super::oidc::shown;
use crate::{
    browser_cookie::BrowserCookie,
    cookies::cookie_names,
    error::{AccessError, Kind},
};
use attempt::Attempt;
use config::access::{Access, ReadOrgs};
use domain::{Timestamp, text::hexadecimal};
use exchange::Client;
use forges::outbound::Outbound;
use http::{HeaderMap, HeaderValue};
use person::Person;
use provider::Provider;
use rand::distr::{Alphanumeric, SampleString};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use store::{NewSession, ReadScope, Store, now};

/// The path to which the issuer sends people back.
const CALLBACK: &str = "/login/callback";

/// The start of the secret of a session, which is in the browser's cookie.
const PREFIX: &str = "session_";

/// Random letters and digits in a secret: 190 bits.
const RANDOM: usize = 32;

/// The name of the cookie of an attempt, before the start of its state.
const ATTEMPT: &str = "coverage-login-";

/// How much of the state of an attempt is in the name of its cookie.
const STATE_IN_NAME: usize = 8;

/// The most attempts of one browser. Each has a cookie that is sent with every request.
const MOST_ATTEMPTS: usize = 3;

/// The most groups that a refusal names.
const NAMED_GROUPS: usize = 5;

/// The login of people. Clones share what is cached of the issuer.
#[derive(Clone, Debug)]
pub struct PeopleLogin(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    provider: Provider,
    client: Client,
    groups_claim: String,
    read_orgs: ReadOrgs,
    seconds: u64,
    public_url: String,
    store: Store,
}

/// What the issuer sends back with a person, as a query.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'a> {
    /// The code to exchange.
    pub code: Option<&'a str>,
    /// The state of the attempt.
    pub state: Option<&'a str>,
    /// Who answers (RFC 9207).
    pub issuer: Option<&'a str>,
    /// Why there is no code.
    pub error: Option<&'a str>,
}

/// A login that succeeded.
#[derive(Debug)]
pub(crate) struct LoggedIn {
    /// The secret of the session.
    pub(super) secret: String,
    /// Where the person wanted to go. Not checked.
    pub next: String,
}

/// Who a session belongs to.
#[derive(Clone, Debug)]
pub(super) struct OfSession {
    /// The name of the person; none for a token.
    pub(super) person: Option<Arc<str>>,
    pub(super) scope: ReadScope,
}

impl PeopleLogin {
    /// Creates the login at the operator's issuer; `None` if there is none.
    pub(super) fn new(
        access: &Access,
        public_url: &str,
        outbound: &Outbound,
        store: &Store,
    ) -> Option<Self> {
        let settings = &access.login;
        let issuer = settings.login_issuer.0.clone()?;
        Some(Self(Arc::new(Inner {
            provider: Provider::new(issuer, &access.limits, outbound.with_own_permits()),
            client: Client::new(settings, format!("{public_url}{CALLBACK}")),
            groups_claim: settings.login_groups_claim.trim().to_owned(),
            read_orgs: settings.read_orgs.clone(),
            seconds: access.limits.login_seconds,
            public_url: public_url.to_owned(),
            store: store.clone(),
        })))
    }

    /// The host of the issuer, by which people know it.
    pub fn host(&self) -> &str {
        self.0.provider.host()
    }

    /// Seconds until a new session ends.
    pub(super) fn seconds(&self) -> u64 {
        self.0.seconds
    }

    /// Starts a login: returns the issuer's address for this person, the cookie that recognises the browser afterwards, and those
    /// that forget its oldest attempts.
    ///
    /// # Errors
    ///
    /// 502 `login_issuer_unreachable` if the issuer does not answer.
    pub async fn begin(
        &self,
        next: &str,
        headers: &HeaderMap,
    ) -> Result<(String, Vec<HeaderValue>), AccessError> {
        let attempt = Attempt::new(next);
        let endpoint = self.0.provider.authorization_endpoint().await?;
        let address = self.0.client.authorization(endpoint, &attempt);
        let cookie = self.cookie_of(attempt.state());
        let cookie = cookie.and_then(|cookie| cookie.set(&attempt.to_string(), attempt::SECONDS));
        let mut cookies = self.surplus(headers);
        cookies.push(cookie.ok_or_else(not_started)?);
        Ok((address, cookies))
    }

    /// The headers that forget the oldest attempts of a browser, so that another one fits.
    fn surplus(&self, headers: &HeaderMap) -> Vec<HeaderValue> {
        let start = |name: &str| {
            let name = name.strip_prefix("__Host-").unwrap_or(name);
            name.strip_prefix(ATTEMPT).map(str::to_owned)
        };
        let started: Vec<_> = cookie_names(headers).filter_map(start).collect();
        let surplus = (started.len() + 1).saturating_sub(MOST_ATTEMPTS);
        let cookies = started.iter().take(surplus);
        let cookies = cookies.filter_map(|start| self.cookie_of(start)?.delete());
        cookies.collect()
    }

    /// The cookie of the attempt with this state: each has its own, so that a login in another tab does not end it.
    fn cookie_of(&self, state: &str) -> Option<BrowserCookie> {
        let is_name = |start: &&str| start.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let start = state.get(..STATE_IN_NAME).filter(is_name)?;
        let name = format!("{ATTEMPT}{start}");
        Some(BrowserCookie::new(&name, &self.0.public_url))
    }

    /// The header that forgets the attempt that an answer is about.
    pub fn forget(&self, answer: Answer<'_>) -> Option<HeaderValue> {
        self.cookie_of(answer.state?)?.delete()
    }

    /// Returns the attempt of this browser that an answer is about.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token` if this browser did not start the login, or the answer is of another issuer.
    pub(super) fn attempt(
        &self,
        answer: Answer<'_>,
        headers: &HeaderMap,
    ) -> Result<Attempt, AccessError> {
        let state = answer.state.unwrap_or_default();
        let cookie = self.cookie_of(state).ok_or_else(not_started)?;
        let attempt = cookie.of(headers).and_then(Attempt::read);
        let attempt = attempt
            .filter(|attempt| attempt.has_state(state))
            .ok_or_else(not_started)?;
        let is_ours = |issuer: &str| self.0.provider.is_called(issuer);
        if !answer.issuer.is_none_or(is_ours) {
            return Err(refused("the answer is of another issuer"));
        }
        Ok(attempt)
    }

    /// Where the attempt that an answer is about continues, even if it fails. Not checked.
    pub fn next_of(&self, answer: Answer<'_>, headers: &HeaderMap) -> Option<String> {
        let attempt = self.attempt(answer, headers).ok()?;
        Some(attempt.next().to_owned())
    }

    /// Returns the code of an answer.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token` if the issuer sent none; 502 `login_issuer_unreachable` if the issuer does not answer.
    pub(super) async fn code(&self, answer: Answer<'_>) -> Result<String, AccessError> {
        if answer.issuer.is_none() && self.0.provider.names_itself().await? {
            return Err(refused("the answer does not say of which issuer it is"));
        }
        match (answer.code, answer.error) {
            (Some(code), None) => Ok(code.to_owned()),
            (_, error) => Err(refused(error.unwrap_or("it sent no code"))),
        }
    }

    /// Completes a login with a code of the issuer, and stores a session.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token` if the issuer refused the code; 403 `not_a_reader`; 502 `login_issuer_unreachable` if the issuer does not answer,
    /// or its answer violates a rule; 503 when the database fails.
    pub(super) async fn complete(
        &self,
        attempt: &Attempt,
        code: &str,
    ) -> Result<LoggedIn, AccessError> {
        let inner = &*self.0;
        let tokens = inner
            .client
            .exchange(&inner.provider, code, attempt)
            .await?;
        let person = Person::of(
            &inner.provider,
            inner.client.id(),
            &tokens,
            &attempt.nonce(),
            &inner.groups_claim,
            !inner.read_orgs.is_every(),
        )
        .await?;
        self.begin_session(person, attempt.next()).await
    }

    async fn begin_session(&self, person: Person, next: &str) -> Result<LoggedIn, AccessError> {
        let inner = &*self.0;
        if inner.read_orgs.scope_of(&person.groups).is_nothing() {
            return Err(self.not_a_reader(&person.name, &person.groups));
        }
        let names = |group: &&String| inner.read_orgs.names(group);
        let groups: Vec<String> = person.groups.iter().filter(names).cloned().collect();
        let secret = format!(
            "{PREFIX}{}",
            Alphanumeric.sample_string(&mut rand::rng(), RANDOM)
        );
        let lasts = i64::try_from(inner.seconds).unwrap_or(i64::MAX);
        let session = NewSession {
            hash: &hash(&secret),
            issuer: inner.provider.issuer(),
            subject: &person.subject,
            person: &person.name,
            groups: &groups,
            expires_at: Timestamp(now().0.saturating_add(lasts.saturating_mul(1_000_000))),
        };
        inner.store.writer().add_session(session).await?;
        tracing::info!(subject = shown(&person.subject), "a person has logged in");
        Ok(LoggedIn {
            secret,
            next: next.to_owned(),
        })
    }

    /// Returns who a session belongs to, given the secret in a browser's cookie.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token` if it has ended; 403 `not_a_reader` if the person may read nothing any more; 503 when the
    /// database fails.
    pub(super) async fn of_session(&self, secret: &str) -> Result<OfSession, AccessError> {
        let inner = &*self.0;
        let found = inner.store.writer().session(&hash(secret)).await?;
        let is_valid =
            |issuer: &str, end: Timestamp| issuer == inner.provider.issuer() && end > now();
        let session = found
            .filter(|session| is_valid(&session.issuer, session.expires_at))
            .ok_or_else(|| AccessError::invalid_token("Your session has ended; log in again."))?;
        let scope = inner.read_orgs.scope_of(&session.groups);
        if scope.is_nothing() {
            return Err(self.not_a_reader(&session.person, &[]));
        }
        Ok(OfSession {
            person: Some(session.person.into()),
            scope,
        })
    }

    fn not_a_reader(&self, person: &str, groups: &[String]) -> AccessError {
        let start = format!("You are logged in at {} as {person}", self.host());
        not_a_reader(&start, groups)
    }

    /// Ends the session with this secret, if there is one.
    pub(super) async fn end(&self, secret: &str) -> Result<(), AccessError> {
        Ok(self.0.store.writer().end_session(&hash(secret)).await?)
    }
}

/// 403: none of the groups of a person counts. `start` says who logged the person in. The log gets no names.
pub(super) fn not_a_reader(start: &str, groups: &[String]) -> AccessError {
    let named: Vec<_> = groups
        .iter()
        .take(NAMED_GROUPS)
        .map(|group| shown(group))
        .collect();
    let groups = match (named.as_slice(), groups.len().saturating_sub(NAMED_GROUPS)) {
        ([], _) => "none of your groups".to_owned(),
        (named, 0) => format!("none of your groups ({})", named.join(", ")),
        (named, more) => format!("none of your groups ({} and {more} more)", named.join(", ")),
    };
    AccessError::new(
        Kind::NotAReader,
        format!(
            "{start}, but {groups} may read an org here; ask the operator to name one of them in READ_ORGS."
        ),
    )
    .logged_as("READ_ORGS names no group of this person")
}

/// Whether a text in a cookie is the secret of a person's session, and not a token.
pub(super) fn is_secret(text: &str) -> bool {
    text.starts_with(PREFIX)
}

fn hash(secret: &str) -> String {
    hexadecimal(&Sha256::digest(secret.as_bytes()))
}

fn not_started() -> AccessError {
    AccessError::invalid_token(format!(
        "This login was not started in this browser, or more than {} minutes ago; log in again.",
        attempt::SECONDS / 60
    ))
}

/// 401: the issuer did not confirm who the person is.
fn refused(why: &str) -> AccessError {
    AccessError::invalid_token(format!(
        "The login was cancelled or refused ({}); log in again, and if it keeps failing, ask the operator.",
        shown(why)
    ))
}
