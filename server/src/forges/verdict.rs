//! What a forge says of a token, and for how long that is remembered.

use super::{Api, CommitStatus};
use crate::{
    config::access::AccessLimits,
    forges::outbound::Answer,
    http::error::{ApiError, Code},
};
use axum::http::{StatusCode, header::RETRY_AFTER};
use moka::Expiry;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Seconds after which a client may try again what failed for the service's sake.
pub(super) const RETRY_SECONDS: u64 = 10;

/// The longest time for which a service may send us away: what it says counts, but not for ever.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// What a service says of a token and a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The status was written.
    Written,
    /// It does not know the token.
    BadToken,
    /// The token may not write to this repository, or not know of it.
    NotAllowed,
    /// The repository has no such commit.
    NoSuchCommit,
    /// The repository has another name now.
    Moved,
    /// It has been asked too much.
    Busy(Duration),
    /// It has an error of its own.
    Down(Duration),
    /// What it said is not what such a service says.
    Strange(StatusCode),
}

impl Verdict {
    /// Of an answer as all services give them. `echo` is the member of a good one that repeats the status's name: an answer
    /// without it comes from something else, such as a login page in front.
    pub(super) fn of(answer: &Answer, echo: &str, status: &CommitStatus) -> Self {
        match answer.status {
            StatusCode::CREATED => {
                let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
                let name = body.as_ref().and_then(|body| body.get(echo)?.as_str());
                match name == Some(&status.context) {
                    true => Self::Written,
                    false => Self::Strange(answer.status),
                }
            }
            StatusCode::UNAUTHORIZED => Self::BadToken,
            StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => Self::NotAllowed,
            StatusCode::UNPROCESSABLE_ENTITY => Self::NoSuchCommit,
            StatusCode::TOO_MANY_REQUESTS => Self::Busy(wait(answer, 60)),
            status if status.is_server_error() => Self::Down(wait(answer, RETRY_SECONDS)),
            other => Self::Strange(other),
        }
    }

    /// Whether the token is good.
    ///
    /// # Errors
    ///
    /// As `Forges::prove` states them.
    pub(super) fn judge(&self, api: &Api, status: &CommitStatus) -> Result<(), ApiError> {
        let (name, url) = (api.forge.name(), &api.listed.text);
        let (repository, commit) = (&status.repository, &status.commit);
        Err(match self {
            Self::Written => return Ok(()),
            Self::BadToken => ApiError::invalid_token(format!(
                "{name} at {url} does not accept this token; check that the CI job sends one that is still valid."
            )),
            Self::NotAllowed => ApiError::token_not_for_repository(format!(
                "{name} does not let this token write a commit status to {repository}; give it that permission, and check the names."
            )),
            Self::NoSuchCommit => ApiError::token_not_for_repository(format!(
                "{name} lets nobody write a status to commit {commit} of {repository}; check that it was pushed there."
            )),
            Self::Moved => ApiError::token_not_for_repository(format!(
                "{name} has {repository} under another name by now; upload under that."
            )),
            Self::Busy(wait) => {
                let detail = format!(
                    "{name} at {url} has been asked too much, and cannot check the token right now"
                );
                unreachable(detail, *wait)
            }
            Self::Down(wait) => {
                let detail = format!(
                    "{name} at {url} has an error of its own, and cannot check the token right now"
                );
                unreachable(detail, *wait)
            }
            Self::Strange(status) => {
                tracing::warn!(
                    ?api,
                    status = status.as_u16(),
                    "this is not how such a service answers"
                );
                let detail = format!(
                    "{url} does not answer as the API of {name} does (status {}); if it goes on, the operator has to check VCS_API_URLS",
                    status.as_u16()
                );
                unreachable(detail, Duration::from_secs(RETRY_SECONDS))
            }
        })
    }
}

/// 502 `vcs_unreachable`, with word of when to try again.
pub(super) fn unreachable(detail: String, wait: Duration) -> ApiError {
    let seconds = wait.as_secs().max(1);
    let detail = format!("{detail}; try again in {seconds} seconds.");
    ApiError::new(Code::VcsUnreachable, detail).retry_after(seconds)
}

/// How long a service wants to be left alone (RFC 9110, section 10.2.3). As a date, or not at all, that is so many seconds.
pub(super) fn wait(answer: &Answer, otherwise: u64) -> Duration {
    let header = answer.headers.get(RETRY_AFTER);
    let text = header
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = match is_number {
        true => text.parse().unwrap_or(u64::MAX),
        false => otherwise,
    };
    Duration::from_secs(seconds).min(LONGEST_WAIT)
}

/// How long each verdict is remembered.
pub(super) struct Lifetimes {
    accepted: Duration,
    refused: Duration,
}

impl Lifetimes {
    pub(super) fn new(limits: &AccessLimits) -> Self {
        Self {
            accepted: Duration::from_secs(limits.vcs_accepted_seconds),
            refused: Duration::from_secs(limits.vcs_refused_seconds),
        }
    }
}

impl<K> Expiry<K, Verdict> for Lifetimes {
    fn expire_after_create(&self, _: &K, verdict: &Verdict, _: Instant) -> Option<Duration> {
        Some(match verdict {
            Verdict::Written => self.accepted,
            Verdict::BadToken | Verdict::NotAllowed | Verdict::NoSuchCommit | Verdict::Moved => {
                self.refused
            }
            Verdict::Busy(wait) => *wait,
            // A service that fails may be well again the next moment.
            Verdict::Down(_) | Verdict::Strange(_) => Duration::ZERO,
        })
    }
}
