//! Whether a branch contains a commit according to its forge.

use crate::{CommitStatus, verdict::Failure};
use domain::{BranchName, CommitHash, Repository};

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
    Failed(Failure),
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
