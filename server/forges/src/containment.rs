//! Whether a branch contains a commit according to its forge, and how long the answer is cached.

use crate::{CommitStatus, outbound::OutboundError};
use config::access::AccessLimits;
use domain::{BranchName, CommitHash, Repository};
use http::StatusCode;
use moka::Expiry;
use std::time::{Duration, Instant};

/// A branch, and a commit that it may contain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison<'a> {
    pub(super) repository: &'a Repository,
    pub(super) branch: &'a BranchName,
    pub(super) commit: &'a CommitHash,
}

impl<'a> Comparison<'a> {
    pub(super) fn of(status: &'a CommitStatus) -> Option<Self> {
        Some(Self {
            repository: &status.repository,
            branch: status.branch.as_ref()?,
            commit: &status.commit,
        })
    }
}

/// The answer of a forge about a branch and a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Containment {
    Contained,
    Missing,
    /// The token may not compare commits, or the branch does not exist.
    Withheld,
    Busy(Duration),
    Down(Duration),
    /// The answer does not come from such a forge.
    Strange(StatusCode),
}

impl Containment {
    /// Interprets a failed call. The answer for a contained commit is short, without commits and files, so an answer over the
    /// limit means "missing".
    ///
    /// # Errors
    ///
    /// Any other error of the call.
    pub(super) fn of_failure(error: OutboundError) -> Result<Self, OutboundError> {
        match error {
            OutboundError::TooLarge(_) => Ok(Self::Missing),
            error => Err(error),
        }
    }
}

/// Returns whether a text is a valid branch name in git (git-check-ref-format). A forge that accepts revisions could interpret
/// any other text as a commit.
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

/// How long each answer is cached.
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
    fn expire_after_create(&self, _: &K, answer: &Containment, _: Instant) -> Option<Duration> {
        Some(match answer {
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
