//! The login of people at an OpenID Connect issuer: the authorization code flow with PKCE, and the sessions that it starts.
//!
//! OpenID Connect Core 1.0, section 3.1; PKCE is RFC 7636. Each request applies the operator's current rules for groups.

mod attempt;
mod exchange;
mod person;
mod provider;

use super::{oidc::shown, own_token::hash};
use crate::{
    admin::Admin,
    cookies::{BrowserCookie, cookie_names},
    error::{AccessError, Kind},
};
use attempt::Attempt;
use config::access::{Access, AdminGroups, ReadOrgs};
use domain::Timestamp;
use exchange::Client;
use forges::outbound::Outbound;
use http::{HeaderMap, HeaderValue};
use person::Person;
use provider::Provider;
use rand::distr::{Alphanumeric, SampleString};
use std::{net::IpAddr, sync::Arc};
use store::{NewSession, ReadScope, Store, now};

/// After the login, the issuer redirects to this path.
const CALLBACK: &str = "/login/callback";

/// The prefix of a session's secret, which is in the browser's cookie.
const PREFIX: &str = "session_";

/// Random letters and digits in a secret: 190 bits.
const RANDOM: usize = 32;

/// The prefix of an attempt's cookie. The first characters of the state follow.
const ATTEMPT: &str = "coverage-login-";

/// The number of characters of the state in the name of the cookie.
const STATE_IN_NAME: usize = 8;

/// The most attempts of one browser. Each has a cookie, which the browser sends with every request.
const MOST_ATTEMPTS: usize = 3;

/// The most groups that a refusal names.
const NAMED_GROUPS: usize = 5;

/// The login of people. Clones share the cached data of the issuer.
#[derive(Clone, Debug)]
pub struct PeopleLogin(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    provider: Provider,
    client: Client,
    groups_claim: String,
    read_orgs: ReadOrgs,
    admin_groups: AdminGroups,
    seconds: u64,
    public_url: String,
    store: Store,
}

/// The query with which the issuer redirects a person back.
#[derive(Clone, Copy, Debug, Default)]
pub struct Answer<'a> {
    /// The code to exchange.
    pub code: Option<&'a str>,
    /// The state of the attempt.
    pub state: Option<&'a str>,
    /// The issuer of the answer (RFC 9207).
    pub issuer: Option<&'a str>,
    /// The error code, if the login failed.
    pub error: Option<&'a str>,
}

#[derive(Debug)]
pub(crate) struct LoggedIn {
    pub(super) secret: String,
    /// The path that the browser opens next. Not checked.
    pub next: String,
}

impl PeopleLogin {
    /// Creates the login at the operator's issuer. `None` if no issuer is set.
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
            admin_groups: settings.admin_groups.clone(),
            seconds: access.limits.login_seconds,
            public_url: public_url.to_owned(),
            store: store.clone(),
        })))
    }

    /// Returns the host of the issuer, which pages show as its name.
    pub fn host(&self) -> &str {
        self.0.provider.issuer.host()
    }

    pub(super) fn seconds(&self) -> u64 {
        self.0.seconds
    }

    /// Starts a login. Returns the address of the issuer's login page, the cookie that recognises the browser afterwards, and
    /// headers that delete the cookies of its oldest attempts.
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
        let cookie = self.cookie_of(&attempt.state);
        let cookie = cookie.and_then(|cookie| cookie.set(&attempt.to_string(), attempt::SECONDS));
        let mut cookies = self.surplus(headers);
        cookies.push(cookie.ok_or_else(not_started)?);
        Ok((address, cookies))
    }

    /// Returns headers that delete the cookies of a browser's oldest attempts, so that there is room for one more.
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

    /// Returns the cookie of the attempt with this state. Each attempt has its own, so that a login in another tab does not end
    /// it.
    fn cookie_of(&self, state: &str) -> Option<BrowserCookie> {
        let is_name = |start: &&str| start.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let start = state.get(..STATE_IN_NAME).filter(is_name)?;
        let name = format!("{ATTEMPT}{start}");
        Some(BrowserCookie::new(&name, &self.0.public_url))
    }

    /// Returns the header that deletes the cookie of the attempt to which an answer belongs.
    pub fn forget(&self, answer: Answer<'_>) -> Option<HeaderValue> {
        self.cookie_of(answer.state?)?.delete()
    }

    /// Returns the attempt of this browser to which an answer belongs.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token` if this browser did not start the login, or if the answer is from another issuer.
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
            return Err(refused("the answer is from another issuer"));
        }
        Ok(attempt)
    }

    /// Returns the path that the browser opens next, even if the login fails. Not checked.
    pub fn next_of(&self, answer: Answer<'_>, headers: &HeaderMap) -> Option<String> {
        let attempt = self.attempt(answer, headers).ok()?;
        Some(attempt.next)
    }

    /// Returns the code of an answer.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token` if the answer has no code; 502 `login_issuer_unreachable` if the issuer does not answer.
    pub(super) async fn code(&self, answer: Answer<'_>) -> Result<String, AccessError> {
        if answer.issuer.is_none() && self.0.provider.names_itself().await? {
            return Err(refused("the answer does not name its issuer"));
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
    /// 401 `invalid_token` if the issuer refuses the code; 403 `not_a_reader`; 502 `login_issuer_unreachable` if the issuer does
    /// not answer or its answer violates a rule; 503 when the database fails.
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
            &inner.client.id,
            &tokens,
            &attempt.nonce(),
            &inner.groups_claim,
            !inner.read_orgs.is_every() || !inner.admin_groups.is_empty(),
        )
        .await?;
        self.begin_session(person, &attempt.next).await
    }

    async fn begin_session(&self, person: Person, next: &str) -> Result<LoggedIn, AccessError> {
        let inner = &*self.0;
        if inner.read_orgs.scope_of(&person.groups).is_nothing() {
            return Err(self.not_a_reader(&person.name, &person.groups));
        }
        let names =
            |group: &&String| inner.read_orgs.names(group) || inner.admin_groups.names(group);
        let groups: Vec<String> = person.groups.iter().filter(names).cloned().collect();
        let random = Alphanumeric.sample_string(&mut rand::rng(), RANDOM);
        let secret = format!("{PREFIX}{random}");
        let lasts = i64::try_from(inner.seconds).unwrap_or(i64::MAX);
        let session = NewSession {
            hash: &hash(&secret),
            issuer: &inner.provider.issuer.text,
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

    /// Returns the name of the owner of a session, and what the owner may read and administer, by the secret in a browser's
    /// cookie.
    ///
    /// # Errors
    ///
    /// 401 `invalid_token` if the session has ended; 403 `not_a_reader` if the person may no longer read anything; 503 when the
    /// database fails.
    pub(super) async fn of_session(
        &self,
        secret: &str,
        address: IpAddr,
    ) -> Result<(Arc<str>, ReadScope, Option<Admin>), AccessError> {
        let inner = &*self.0;
        let found = inner.store.writer().session(&hash(secret)).await?;
        let issuer = &inner.provider.issuer.text;
        let session = found
            .filter(|session| session.issuer == *issuer && session.expires_at > now())
            .ok_or_else(|| AccessError::invalid_token("Your session has ended; log in again."))?;
        let scope = inner.read_orgs.scope_of(&session.groups);
        if scope.is_nothing() {
            return Err(self.not_a_reader(&session.person, &[]));
        }
        // The name may not be unique, and some issuers let people change it.
        let name = format!("{} ({})", session.person, session.subject);
        let scopes = inner.admin_groups.scopes_of(&session.groups);
        let admin = Admin::of_person(&name, scopes, address);
        Ok((session.person.into(), scope, admin))
    }

    fn not_a_reader(&self, person: &str, groups: &[String]) -> AccessError {
        let start = format!("You are logged in at {} as {person}", self.host());
        not_a_reader(&start, groups)
    }

    pub(super) async fn end(&self, secret: &str) -> Result<(), AccessError> {
        Ok(self.0.store.writer().end_session(&hash(secret)).await?)
    }
}

/// 403: no group of the person may read an org. `start` names the issuer or proxy that logged the person in. The log gets no
/// names.
pub(super) fn not_a_reader(start: &str, groups: &[String]) -> AccessError {
    let named = groups.iter().take(NAMED_GROUPS);
    let named: Vec<_> = named.map(|group| shown(group)).collect();
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

/// Returns whether a text in a cookie is the secret of a person's session, not a token.
pub(super) fn is_secret(text: &str) -> bool {
    text.starts_with(PREFIX)
}

fn not_started() -> AccessError {
    AccessError::invalid_token(format!(
        "This login was not started in this browser, or more than {} minutes ago; log in again.",
        attempt::SECONDS / 60
    ))
}

/// 401: the issuer did not confirm the identity of the person.
fn refused(why: &str) -> AccessError {
    AccessError::invalid_token(format!(
        "The login was cancelled or refused ({}); log in again, and if it keeps failing, ask the operator.",
        shown(why)
    ))
}
