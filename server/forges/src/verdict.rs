//! The verdict of a forge on a token, whether a branch contains a commit according to it, and how long both are cached.

use crate::{CommitStatus, outbound::Answer};
use config::access::AccessLimits;
use domain::Repository;
use http::{StatusCode, header::RETRY_AFTER};
use moka::Expiry;
use serde_json::Value;
use std::time::{Duration, Instant};

/// The time after which a client may retry if the forge failed.
pub(super) const RETRY: Duration = Duration::from_secs(10);

/// The longest `Retry-After` of a forge that is respected.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// The verdict of a forge on a token and a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Written,
    /// The forge does not know the token.
    BadToken,
    /// The token may not write to this repository, or cannot see it.
    NotAllowed,
    NoSuchCommit,
    /// The repository was renamed, to this name if the forge returns it.
    Moved(Option<Repository>),
    /// The forge does not change the state of the status.
    Unchanged,
    Failed(Failure),
}

impl Verdict {
    /// Interprets an answer that all forges have in common. `echo` is the member of a successful answer that repeats the status's
    /// name: an answer without it comes from another server, such as a login page.
    pub(super) fn of(answer: &Answer, echo: &str, status: &CommitStatus) -> Self {
        match answer.status {
            StatusCode::CREATED => {
                let body: Option<Value> = serde_json::from_slice(&answer.body).ok();
                let name = body.as_ref().and_then(|body| body.get(echo)?.as_str());
                if name == Some(&status.context) {
                    Self::Written
                } else {
                    Self::Failed(Failure::Strange(answer.status))
                }
            }
            StatusCode::UNAUTHORIZED => Self::BadToken,
            StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => Self::NotAllowed,
            StatusCode::UNPROCESSABLE_ENTITY => Self::NoSuchCommit,
            _ => Self::Failed(Failure::of(answer)),
        }
    }
}

/// The answer of a forge about a branch and a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Containment {
    Contained,
    Missing,
    /// The token may not compare commits, or the branch does not exist.
    Withheld,
    Failed(Failure),
}

/// A failure of a forge, which says nothing about a token or a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The rate limit is exceeded for this time.
    Busy(Duration),
    Down(Duration),
    /// The answer does not come from such a forge.
    Strange(StatusCode),
}

impl Failure {
    /// Interprets an answer that says nothing else. [`Api`](crate::Api) has checked the rate limit before.
    pub(super) fn of(answer: &Answer) -> Self {
        match answer.status {
            status if status.is_server_error() => Self::Down(wait(answer, RETRY)),
            other => Self::Strange(other),
        }
    }

    /// How long it is cached. A forge that fails may work again at once.
    fn lifetime(&self) -> Duration {
        match self {
            Self::Busy(wait) => *wait,
            Self::Down(_) | Self::Strange(_) => Duration::ZERO,
        }
    }
}

/// Returns the `Retry-After` of an answer (RFC 9110, section 10.2.3), or `otherwise` if it is missing or a date.
fn wait(answer: &Answer, otherwise: Duration) -> Duration {
    let header = answer.headers.get(RETRY_AFTER);
    let text = header.and_then(|value| value.to_str().ok());
    let text = text.unwrap_or_default().trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let wait = is_number.then(|| Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    wait.unwrap_or(otherwise).min(LONGEST_WAIT)
}

/// The longest rate limit that is respected. GitHub's limit restarts every hour.
pub(super) const LONGEST_LIMIT: Duration = Duration::from_secs(3_600);

/// Returns how long a rate limit lasts: until `Retry-After`, else until the moment that the forge states, else for a minute.
pub(super) fn limited_for(answer: &Answer) -> Duration {
    if answer.headers.contains_key(RETRY_AFTER) {
        return wait(answer, MINUTE);
    }
    let reset = ["x-ratelimit-reset", "ratelimit-reset"];
    let reset = reset.iter().find_map(|name| answer.headers.get(*name));
    let reset = reset.and_then(|reset| reset.to_str().ok()?.trim().parse().ok());
    let now = u64::try_from(store::now().0).unwrap_or_default();
    match reset.map(Duration::from_secs) {
        Some(reset) => reset
            .saturating_sub(Duration::from_micros(now))
            .clamp(Duration::from_secs(1), LONGEST_LIMIT),
        None => MINUTE,
    }
}

const MINUTE: Duration = Duration::from_secs(60);

/// How long each answer of a forge is cached.
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
            Verdict::Failed(failure) => failure.lifetime(),
            _ => self.refused,
        })
    }
}

impl<K> Expiry<K, Containment> for Lifetimes {
    fn expire_after_create(&self, _: &K, answer: &Containment, _: Instant) -> Option<Duration> {
        Some(match answer {
            Containment::Contained => self.accepted,
            Containment::Failed(failure) => failure.lifetime(),
            Containment::Missing | Containment::Withheld => self.refused,
        })
    }
}
