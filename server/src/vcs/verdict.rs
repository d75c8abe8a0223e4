//! What a source-hosting service says of a token, and for how long that is remembered.

use super::{CommitStatus, RETRY_SECONDS, forge::Forge};
use crate::{
    config::access::{AccessLimits, VcsApi},
    error::ApiError,
    outbound::Answer,
};
use axum::http::{StatusCode, header::RETRY_AFTER};
use moka::Expiry;
use serde_json::Value;
use std::time::{Duration, Instant};

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
    /// It has been asked too much.
    Busy(Duration),
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
            StatusCode::TOO_MANY_REQUESTS => Self::Busy(wait(answer)),
            other => Self::Strange(other),
        }
    }

    /// Whether the token is good.
    ///
    /// # Errors
    ///
    /// As [`super::Forges::prove`] states them.
    pub(super) fn judge(
        &self,
        forge: &dyn Forge,
        api: &VcsApi,
        status: &CommitStatus,
    ) -> Result<(), ApiError> {
        let (name, repository, commit) = (forge.name(), &status.repository, &status.commit);
        Err(match self {
            Self::Written => return Ok(()),
            Self::BadToken => ApiError::invalid_token(format!(
                "{name} at {} does not accept this token; check that the CI job sends one that is still valid.",
                api.text
            )),
            Self::NotAllowed => ApiError::token_not_for_repository(format!(
                "{name} does not let this token write a commit status to {repository}; give it that permission, and check the names."
            )),
            Self::NoSuchCommit => ApiError::token_not_for_repository(format!(
                "{name} lets nobody write a status to commit {commit} of {repository}; check that it was pushed there."
            )),
            Self::Busy(wait) => {
                let seconds = wait.as_secs().max(1);
                busy(forge, api).retry_after(seconds)
            }
            Self::Strange(_) => strange(forge, api).retry_after(RETRY_SECONDS),
        })
    }
}

fn busy(forge: &dyn Forge, api: &VcsApi) -> ApiError {
    let detail = format!(
        "{} at {} has been asked too much, and cannot check the token right now; try again later.",
        forge.name(),
        api.text
    );
    ApiError::new(StatusCode::BAD_GATEWAY, "vcs_unreachable", detail)
}

fn strange(forge: &dyn Forge, api: &VcsApi) -> ApiError {
    let detail = format!(
        "{} does not answer as the API of {} does; the operator has to check VCS_API_URLS.",
        api.text,
        forge.name()
    );
    ApiError::new(StatusCode::BAD_GATEWAY, "vcs_unreachable", detail)
}

/// How long a service wants to be left alone (RFC 9110, section 10.2.3; as a date it is read as a minute).
pub(super) fn wait(answer: &Answer) -> Duration {
    let header = answer.headers.get(RETRY_AFTER);
    let seconds = header.and_then(|value| value.to_str().ok()?.trim().parse().ok());
    Duration::from_secs(seconds.unwrap_or(60)).min(LONGEST_WAIT)
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
            Verdict::BadToken | Verdict::NotAllowed | Verdict::NoSuchCommit => self.refused,
            Verdict::Busy(wait) => *wait,
            // A service that fails may be well again the next moment.
            Verdict::Strange(_) => Duration::ZERO,
        })
    }
}
