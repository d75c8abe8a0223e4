//! Calls one API of a forge.

mod judge;

use crate::{
    CommitStatus, digest,
    forge::{self, Forge},
    outbound::{Answer, Outbound, OutboundError, Take},
    refusal::ForgeRefusal,
    verdict::{Containment, Failure, LONGEST_LIMIT, RETRY, Verdict},
};
use config::access::{AccessLimits, VcsApi};
use domain::{BranchName, CommitAuthor, text::chain};
use http::StatusCode;
use moka::{future, policy::EvictionPolicy, sync::Cache};
use percent_encoding::percent_decode_str;
use reqwest::{
    Method, RequestBuilder, Url,
    header::{self, HeaderMap, HeaderValue},
};
use serde_json::Value;
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::time::Instant;

/// A listed API of a forge.
pub struct Api {
    pub(super) listed: VcsApi,
    pub(super) forge: &'static dyn Forge,
    /// For unproven tokens. Calls with proven tokens have separate permits, so that strangers cannot use them up.
    pub(super) for_unproven: Outbound,
    for_proven: Outbound,
    /// The time limit of all calls about the changes of a pull request.
    pub(super) changes_within: Duration,
    /// Seconds during which a refused token is not checked again.
    pub(super) refused_seconds: u64,
    /// Hashes of tokens that have written a status, and of the operator's tokens. Only they have the permits for proven tokens.
    proven: Cache<[u8; 32], ()>,
    /// Hashes of tokens that the forge has just refused.
    refused: Cache<[u8; 32], ()>,
    /// The moment until which the rate limit of a token is exceeded, by the hash of the token.
    limited: Cache<[u8; 32], Instant>,
    /// The number of the latest outcome of each status.
    outcomes: Cache<[u8; 32], Arc<AtomicU64>>,
    /// The authors of commits, by the hash of repository and commit.
    pub(super) authors: future::Cache<[u8; 32], Option<CommitAuthor>>,
}

/// The number of statuses whose latest outcome is kept.
const REMEMBERED: u64 = 4_096;

/// How long a token that has written a status has the permits for proven tokens.
const PROVEN: Duration = Duration::from_secs(3_600);

/// A cache by hashes, which do not reveal tokens.
fn remembered<V: Clone + Send + Sync + 'static>(lifetime: Option<Duration>) -> Cache<[u8; 32], V> {
    let cache = Cache::builder()
        .max_capacity(REMEMBERED)
        .eviction_policy(EvictionPolicy::lru());
    match lifetime {
        Some(lifetime) => cache.time_to_live(lifetime).build(),
        None => cache.build(),
    }
}

impl Api {
    pub(super) fn new(listed: VcsApi, limits: &AccessLimits, outbound: &Outbound) -> Self {
        Self {
            forge: forge::of(listed.kind),
            listed,
            for_unproven: outbound.with_own_permits(),
            for_proven: outbound.with_own_permits(),
            changes_within: Duration::from_secs(limits.vcs_changes_seconds),
            refused_seconds: limits.vcs_refused_seconds,
            proven: remembered(Some(PROVEN)),
            refused: remembered(Some(Duration::from_secs(limits.vcs_refused_seconds))),
            limited: remembered(Some(LONGEST_LIMIT)),
            // The numbers of a status must not start again while an earlier outcome waits for its retry.
            outcomes: remembered(None),
            authors: future::Cache::new(REMEMBERED),
        }
    }

    /// Returns the address of the API.
    pub fn url(&self) -> &Url {
        &self.listed.url
    }

    /// Notes that a token may write statuses.
    pub(super) fn know(&self, token: &str) {
        self.proven.insert(digest(&[token]), ());
    }

    /// Returns the permits for a token: strangers must not use up the permits for proven tokens.
    pub(super) fn outbound(&self, token: &str) -> &Outbound {
        match self.proven.get(&digest(&[token])) {
            Some(()) => &self.for_proven,
            None => &self.for_unproven,
        }
    }

    /// Writes a status.
    pub(super) async fn write(
        &self,
        outbound: &Outbound,
        token: &str,
        status: &CommitStatus,
    ) -> Result<Verdict, OutboundError> {
        let url = self.forge.url(&self.listed.url, status);
        let call = (Method::POST, url.clone(), Some(self.forge.body(status)));
        match self.call(outbound, token, call).await {
            Ok(answer) => {
                let verdict = self.forge.verdict(&answer, status);
                if verdict == Verdict::Written {
                    self.know(token);
                }
                Ok(verdict)
            }
            Err(OutboundError::Refused) => Ok(Verdict::BadToken),
            Err(OutboundError::Limited(wait)) => Ok(Verdict::Failed(Failure::Busy(wait))),
            Err(OutboundError::Redirected { status, location }) => {
                match self.moved(&url, status, location.as_deref()) {
                    Some(verdict) => Ok(verdict),
                    None => Err(OutboundError::Redirected { status, location }),
                }
            }
            Err(error) => Err(error),
        }
    }

    /// Makes a call, perhaps with a body, unless the forge has just refused the token or its rate limit is exceeded.
    pub(super) async fn call(
        &self,
        outbound: &Outbound,
        token: &str,
        (method, url, body): (Method, Url, Option<Value>),
    ) -> Result<Answer, OutboundError> {
        self.check(token)?;
        let mut request = self.request(outbound, method, url, token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = outbound.call(request).await?;
        self.note(token, answer)
    }

    fn check(&self, token: &str) -> Result<(), OutboundError> {
        if self.refused.get(&digest(&[token])).is_some() {
            return Err(OutboundError::Refused);
        }
        let until = self.limited.get(&digest(&[token]));
        let wait = until.map(|until| until.saturating_duration_since(Instant::now()));
        match wait.filter(|wait| !wait.is_zero()) {
            Some(wait) => Err(OutboundError::Limited(wait)),
            None => Ok(()),
        }
    }

    /// Keeps what an answer states about its token.
    fn note(&self, token: &str, answer: Answer) -> Result<Answer, OutboundError> {
        if answer.status == StatusCode::UNAUTHORIZED {
            self.refused.insert(digest(&[token]), ());
        }
        match self.forge.limit(&answer) {
            Some(wait) => {
                self.limited.insert(digest(&[token]), Instant::now() + wait);
                Err(OutboundError::Limited(wait))
            }
            None => Ok(answer),
        }
    }

    /// Returns the verdict of a redirect: the repository was renamed. `None` if the redirect leads elsewhere, such as to a login
    /// page, or from HTTP to HTTPS.
    fn moved(&self, from: &Url, status: StatusCode, location: Option<&str>) -> Option<Verdict> {
        let is_kept = [
            StatusCode::MOVED_PERMANENTLY,
            StatusCode::TEMPORARY_REDIRECT,
            StatusCode::PERMANENT_REDIRECT,
        ];
        if !is_kept.contains(&status) {
            return None;
        }
        let Some(location) = location else {
            return Some(Verdict::Moved(None));
        };
        let to = from.join(location).ok()?;
        let decoded = |segment| percent_decode_str(segment).decode_utf8_lossy().into_owned();
        let mut segments = to.path().split('/').map(decoded);
        let kind = segments
            .find(|segment| ["repos", "repositories", "projects"].contains(&segment.as_str()))?;
        if to.path() == from.path() {
            return None;
        }
        let name = match (kind.as_str(), segments.next()) {
            ("repos", Some(org)) => segments.next().map(|repo| format!("{org}/{repo}")),
            ("projects", Some(path)) => Some(path),
            _ => None,
        };
        Some(Verdict::Moved(name.and_then(|name| name.parse().ok())))
    }

    /// Compares a branch with the commit of a status, with a proven token.
    pub(super) async fn compare(
        &self,
        token: &str,
        status: &CommitStatus,
        branch: &BranchName,
    ) -> Result<Containment, OutboundError> {
        if !self.forge.may_be_branch(branch.as_str()) {
            return Ok(Containment::Missing);
        }
        let url = self.forge.comparison_url(&self.listed.url, status, branch);
        let call = (Method::GET, url, None);
        match self.call(&self.for_proven, token, call).await {
            Ok(answer) => Ok(self.forge.containment(&answer, &status.commit)),
            Err(OutboundError::Limited(wait)) => Ok(Containment::Failed(Failure::Busy(wait))),
            // The answer for a contained commit is short, without commits and files.
            Err(OutboundError::TooLarge(_)) => Ok(Containment::Missing),
            Err(error) => Err(error),
        }
    }

    /// Reads an answer, and passes its body in pieces to `take` until `take` breaks. `media_type` replaces JSON as the accepted
    /// type.
    pub(super) async fn read(
        &self,
        token: &str,
        url: Url,
        media_type: Option<&'static str>,
        until: Instant,
        take: &mut Take<'_>,
    ) -> Result<Answer, OutboundError> {
        let outbound = self.outbound(token);
        let mut request = self.request(outbound, Method::GET, url, token);
        if let Some(media_type) = media_type {
            let accept = HeaderValue::from_static(media_type);
            request = request.headers(HeaderMap::from_iter([(header::ACCEPT, accept)]));
        }
        self.check(token)?;
        let answer = outbound.call_until(request, until, take).await?;
        self.note(token, answer)
    }

    fn request(
        &self,
        outbound: &Outbound,
        method: Method,
        url: Url,
        token: &str,
    ) -> RequestBuilder {
        let authorization = secret(&format!("{} {token}", self.forge.facts().scheme));
        let request = outbound
            .request(method, url)
            .header(header::AUTHORIZATION, authorization);
        let headers = self.forge.facts().headers.iter();
        headers.fold(request, |request, &(name, value)| {
            request.header(name, value)
        })
    }

    /// Returns the number of a new outcome, which becomes the latest of its status.
    pub(super) fn next_outcome(&self, status: &CommitStatus) -> u64 {
        let latest = self.outcomes.get_with(name(status), Arc::default);
        latest.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn is_latest(&self, status: &CommitStatus, outcome: u64) -> bool {
        let latest = self.outcomes.get(&name(status));
        latest.is_none_or(|latest| latest.load(Ordering::Relaxed) == outcome)
    }

    /// The log has the cause; the sentence names the forge.
    pub(super) fn unreachable(&self, error: &OutboundError) -> ForgeRefusal {
        let (api, name) = (&self.listed.text, self.forge.facts().name);
        let cause = chain(error);
        tracing::warn!(api, cause, "a forge did not answer");
        let detail = format!("{name} at {api} could not check the token: {error}");
        ForgeRefusal::unreachable(&detail, RETRY)
    }
}

/// Returns a header value that is not printed with its request. A text that a header cannot hold is no token, and becomes empty.
fn secret(text: &str) -> HeaderValue {
    let mut value = HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(""));
    value.set_sensitive(true);
    value
}

fn name(status: &CommitStatus) -> [u8; 32] {
    let (repository, commit) = (status.repository.to_string(), status.commit.as_str());
    digest(&[&repository, commit, &status.context])
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Api").field(&self.listed.text).finish()
    }
}
