//! Whether a branch contains a commit, as its forge says, and for how long that is remembered.

use super::{Api, CommitStatus, verdict::unreachable};
use crate::{
    config::access::AccessLimits, forges::outbound::OutboundError, http::error::ApiError,
    store::MainRight,
};
use axum::http::StatusCode;
use domain::{BranchName, CommitHash, Repository};
use moka::Expiry;
use std::time::{Duration, Instant};

/// A branch, and a commit that may be in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison<'a> {
    pub(super) repository: &'a Repository,
    pub(super) branch: &'a BranchName,
    pub(super) commit: &'a CommitHash,
}

impl<'a> Comparison<'a> {
    /// Of the branch and the commit of a status.
    pub(super) fn of(status: &'a CommitStatus) -> Option<Self> {
        Some(Self {
            repository: &status.repository,
            branch: status.branch.as_ref()?,
            commit: &status.commit,
        })
    }
}

/// What a service says of a branch and a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Containment {
    /// The branch contains the commit.
    Contained,
    /// It does not.
    Missing,
    /// The token may not compare, or there is no such branch.
    Withheld,
    /// The service has been asked too much.
    Busy(Duration),
    /// It has an error of its own.
    Down(Duration),
    /// What it said is not what such a service says.
    Strange(StatusCode),
}

impl Containment {
    /// Of a call that had no answer that counts. The answer about a commit that is contained is short: it lists no commits
    /// and no files.
    ///
    /// # Errors
    ///
    /// The call's own, where it says nothing about the commit.
    pub(super) fn of_failure(error: OutboundError) -> Result<Self, OutboundError> {
        match error {
            OutboundError::TooLarge(_) => Ok(Self::Missing),
            error => Err(error),
        }
    }

    /// Whether an upload of the commit may change what the main branch shows. The reason is for headers too: it has no name
    /// that a client chose.
    ///
    /// # Errors
    ///
    /// 502 `vcs_unreachable` where the service did not say.
    pub(super) fn judge(&self, api: &Api) -> Result<MainRight, ApiError> {
        let (name, url) = (api.forge.name(), &api.listed.text);
        let refuse = |detail, wait| Err(unreachable(detail, wait));
        match self {
            Self::Contained => Ok(MainRight::Granted),
            Self::Missing => Ok(MainRight::Withheld(format!(
                "{name} says that the branch does not contain this commit."
            ))),
            Self::Withheld => Ok(MainRight::Withheld(format!(
                "{name} does not say that the branch has this commit; grant the token {}.",
                api.forge.right_to_compare()
            ))),
            Self::Busy(wait) => refuse(
                format!(
                    "{name} at {url} has been asked too much, and cannot compare commits right now"
                ),
                *wait,
            ),
            Self::Down(wait) => refuse(
                format!(
                    "{name} at {url} has an error of its own, and cannot compare commits right now"
                ),
                *wait,
            ),
            Self::Strange(status) => {
                let status = status.as_u16();
                tracing::warn!(
                    ?api,
                    status,
                    "this is not how such a service compares commits"
                );
                let detail = format!(
                    "{url} does not compare commits as {name} does (status {status}); if it goes on, the operator has to check VCS_API_URLS"
                );
                refuse(detail, Duration::from_secs(super::verdict::RETRY_SECONDS))
            }
        }
    }
}

/// Whether git takes a text for the name of a branch (git-check-ref-format). Anything else could mean a commit to a service
/// that reads revisions.
pub(super) fn is_branch_name(name: &str) -> bool {
    let has_bad_character = name
        .chars()
        .any(|char| char.is_control() || " ~^:?*[\\".contains(char));
    let has_bad_segment = name.split('/').any(|segment| {
        segment.is_empty() || segment.starts_with('.') || segment.ends_with(".lock")
    });
    !has_bad_character
        && !has_bad_segment
        && !name.contains("..")
        && !name.contains("@{")
        && !name.starts_with('-')
        && !name.ends_with('.')
        && !["HEAD", "@"].contains(&name)
}

/// How long each answer is remembered.
pub(super) struct Lifetimes {
    contained: Duration,
    missing: Duration,
}

impl Lifetimes {
    pub(super) fn new(limits: &AccessLimits) -> Self {
        Self {
            contained: Duration::from_secs(limits.vcs_accepted_seconds),
            missing: Duration::from_secs(limits.vcs_refused_seconds),
        }
    }
}

impl<K> Expiry<K, Containment> for Lifetimes {
    fn expire_after_create(&self, _: &K, said: &Containment, _: Instant) -> Option<Duration> {
        Some(match said {
            Containment::Contained => self.contained,
            Containment::Missing | Containment::Withheld => self.missing,
            Containment::Busy(wait) => *wait,
            Containment::Down(_) | Containment::Strange(_) => Duration::ZERO,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_git_branch_names_are_queried() {
        for name in [
            "main",
            "feature/x",
            "ü",
            "release-1.2",
            "a@b",
            "refs/heads/x",
        ] {
            assert!(is_branch_name(name), "{name}");
        }
        for name in [
            "HEAD", "@", "main~3", "main^", "main@{1}", "a..b", "a...b", "x:main", "-x", "/a",
            "a//b", "a/", "a.lock", ".a", "a/.b", "a b", "a\\b", "a?", "a*", "a[",
        ] {
            assert!(!is_branch_name(name), "{name}");
        }
    }
}
