//! Calls one API of a forge.

use super::{
    CommitStatus,
    containment::{Comparison, Containment},
    forge::Forge,
    gitea, github, gitlab,
    verdict::{RETRY_SECONDS, Verdict},
};
use crate::{
    config::access::{AccessLimits, ApiKind, VcsApi},
    forges::outbound::{Answer, Outbound, OutboundError, Take},
    http::error::{ApiError, Code},
    text::chain,
};
use moka::{policy::EvictionPolicy, sync::Cache};
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

/// An API that the operator lists.
pub(crate) struct Api {
    pub(super) listed: VcsApi,
    pub(super) forge: &'static dyn Forge,
    /// For checking tokens. Calls with proven tokens have separate permits, so that strangers cannot use them up.
    for_unproven: Outbound,
    for_proven: Outbound,
    /// How long all calls about the changes of a pull request may take.
    pub(super) changes_within: Duration,
    /// The number of the latest outcome of each status.
    outcomes: Cache<String, Arc<AtomicU64>>,
}

/// The number of statuses whose latest outcome is remembered.
const REMEMBERED: u64 = 4_096;

impl Api {
    pub(super) fn new(listed: VcsApi, limits: &AccessLimits, outbound: &Outbound) -> Self {
        Self {
            forge: match listed.kind {
                ApiKind::GitHub => &github::GitHub,
                ApiKind::GitLab => &gitlab::GitLab,
                ApiKind::Gitea => &gitea::Gitea,
            },
            listed,
            for_unproven: outbound.with_own_permits(),
            for_proven: outbound.with_own_permits(),
            changes_within: limits.vcs_changes(),
            outcomes: Cache::builder()
                .max_capacity(REMEMBERED)
                .eviction_policy(EvictionPolicy::lru())
                .build(),
        }
    }

    /// Returns its address.
    pub(crate) fn url(&self) -> &Url {
        &self.listed.url
    }

    /// Writes a status to prove a token.
    pub(super) async fn ask(
        &self,
        token: &str,
        status: &CommitStatus,
    ) -> Result<Verdict, OutboundError> {
        self.write(&self.for_unproven, token, status).await
    }

    /// Writes the status with the result of an upload.
    pub(super) async fn tell(
        &self,
        token: &str,
        status: &CommitStatus,
    ) -> Result<Verdict, OutboundError> {
        self.write(&self.for_proven, token, status).await
    }

    async fn write(
        &self,
        outbound: &Outbound,
        token: &str,
        status: &CommitStatus,
    ) -> Result<Verdict, OutboundError> {
        let url = self.forge.url(&self.listed.url, status);
        let request = self.request(outbound, Method::POST, url, token);
        let answer = outbound
            .call(request.json(&self.forge.body(status)))
            .await?;
        Ok(self.forge.verdict(&answer, status))
    }

    /// Makes a call about a comment.
    pub(super) async fn comment(
        &self,
        token: &str,
        method: Method,
        url: Url,
        body: Option<Value>,
    ) -> Result<Answer, OutboundError> {
        let mut request = self.request(&self.for_proven, method, url, token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        self.for_proven.call(request).await
    }

    /// Asks, with a proven token, whether a branch contains a commit.
    pub(super) async fn compare(
        &self,
        token: &str,
        comparison: Comparison<'_>,
    ) -> Result<Containment, OutboundError> {
        if !self.forge.may_be_branch(comparison.branch.as_str()) {
            return Ok(Containment::Missing);
        }
        let url = self.forge.comparison_url(&self.listed.url, comparison);
        let request = self.request(&self.for_proven, Method::GET, url, token);
        match self.for_proven.call(request).await {
            Ok(answer) => Ok(self.forge.containment(&answer, comparison.commit)),
            Err(error) => Containment::of_failure(error),
        }
    }

    /// Reads an answer with a proven token, and gives on its body in pieces until `take` breaks. `media_type` is what to accept
    /// instead of JSON.
    pub(super) async fn read(
        &self,
        token: &str,
        url: Url,
        media_type: Option<&'static str>,
        until: Instant,
        take: &mut Take<'_>,
    ) -> Result<Answer, OutboundError> {
        let mut request = self.request(&self.for_proven, Method::GET, url, token);
        if let Some(media_type) = media_type {
            let accept =
                HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(media_type))]);
            request = request.headers(accept);
        }
        self.for_proven.call_until(request, until, take).await
    }

    fn request(
        &self,
        outbound: &Outbound,
        method: Method,
        url: Url,
        token: &str,
    ) -> RequestBuilder {
        let authorization = secret(&format!("{} {token}", self.forge.scheme()));
        let request = outbound
            .request(method, url)
            .header(header::AUTHORIZATION, authorization);
        let headers = self.forge.headers().iter();
        headers.fold(request, |request, (name, value)| {
            request.header(*name, *value)
        })
    }

    /// Returns the number of a new outcome, which becomes the latest of its status.
    pub(super) fn next_outcome(&self, status: &CommitStatus) -> u64 {
        let latest = self.outcomes.get_with(name(status), Arc::default);
        latest.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Whether this outcome is the latest of its status.
    pub(super) fn is_latest(&self, status: &CommitStatus, outcome: u64) -> bool {
        let latest = self.outcomes.get(&name(status));
        latest.is_none_or(|latest| latest.load(Ordering::Relaxed) == outcome)
    }

    /// 502: the cause goes to the log; the sentence names the forge.
    pub(super) fn unreachable(&self, error: &OutboundError) -> ApiError {
        let (api, name) = (&self.listed.text, self.forge.name());
        let cause = chain(error);
        tracing::warn!(api, cause, "a forge did not answer");
        let detail = format!(
            "{name} at {api} could not check the token: {error}; try again in {RETRY_SECONDS} seconds."
        );
        ApiError::new(Code::VcsUnreachable, detail).retry_after(RETRY_SECONDS)
    }
}

/// Returns a header value that is not printed with its request. A text that a header cannot hold is not a token, and
/// becomes empty.
fn secret(text: &str) -> HeaderValue {
    let mut value = HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static(""));
    value.set_sensitive(true);
    value
}

/// Returns a key that is unique to a status.
fn name(status: &CommitStatus) -> String {
    format!("{} {} {}", status.repository, status.commit, status.context)
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Api").field(&self.listed.text).finish()
    }
}
