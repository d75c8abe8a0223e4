//! A verified identity, the git ref on which its job runs, and the check that the identity matches what a client wants to change.

use super::shown;
use crate::{Subject, error::AccessError};
use config::access::is_train;
use domain::{BranchName, CommitHash};
use store::ForgeIds;

/// A CI job with a verified identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The name in the ledger.
    pub name: String,
    /// The forge of the issuer.
    pub forge: String,
    pub(super) repository: Claim,
    pub(super) at: Claim,
    pub(super) git_ref: GitRef,
    pub(super) commit: Claim,
    /// Whether the job may belong to a merge train: the job belongs to a merge request, and runs in the project, not in a fork.
    pub(super) may_be_train: bool,
    /// The forge's ids of the repository and its owner.
    pub ids: Option<ForgeIds>,
    /// The path, on the forge, of the page about the CI run or CI job. `None` if the claims do not have the number of the run or job.
    pub run_page: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) name: String,
    pub(super) value: String,
}

impl Identity {
    /// Checks that the identity matches `subject`: the repository, the branch and, except for a pull request, the commit. A
    /// client that sends the list of active branches needs the identity of a job on a branch, not on a pull request or a tag.
    ///
    /// # Errors
    ///
    /// 403 `token_not_for_repository`, with the claim and the parameter that disagree.
    pub(crate) fn agrees_with(&self, subject: Subject<'_>) -> Result<(), AccessError> {
        let repository = subject.repository.to_string();
        // Forges ignore case in the names of orgs and repositories, as this service does.
        if !self.repository.value.eq_ignore_ascii_case(&repository) {
            return Err(self.repository.disagrees("org_name/repo_name", &repository));
        }
        match subject.branch.map(|branch| branch.as_str()) {
            None => drop(self.branch()?),
            Some(branch) if self.git_ref.names().iter().any(|name| name == branch) => {}
            Some(_) if self.is_of_train(subject) => {}
            Some(branch) => return Err(self.other_branch(branch)),
        }
        let commit = subject.commit.as_str();
        // The job of a pull request may run on a merge of the source branch and the target branch. It uploads for the last commit
        // of the source branch.
        if self.commit.value == commit || self.is_of_pull_request() {
            Ok(())
        } else {
            Err(self.commit.disagrees("commit_hash", commit))
        }
    }

    /// Returns the commit of the job, if the job uploads for another commit.
    pub(crate) fn measured_commit(&self, subject: Subject<'_>) -> Option<CommitHash> {
        let own = self.commit.value.as_str();
        (own != subject.commit.as_str())
            .then(|| own.parse().ok())
            .flatten()
    }

    /// Returns whether the upload comes from a merge train of GitLab. The identity of such a job states only that the job belongs
    /// to a merge request, so the branch must be the ref of a merge train, and the commit must be the commit of the job.
    pub(crate) fn is_of_train(&self, subject: Subject<'_>) -> bool {
        let branch = subject.branch.map_or("", BranchName::as_str);
        self.may_be_train && is_train(branch) && self.commit.value == subject.commit.as_str()
    }

    /// Returns whether the job belongs to a pull request. The author of a pull request chooses the name of its source branch.
    pub(crate) fn is_of_pull_request(&self) -> bool {
        matches!(self.git_ref, GitRef::PullRequest(_))
    }

    /// Returns the branch, if the job certainly ran on a branch.
    ///
    /// # Errors
    ///
    /// 403 `token_not_for_repository` otherwise.
    pub(crate) fn branch(&self) -> Result<BranchName, AccessError> {
        let branch = match &self.git_ref {
            GitRef::Branch(name) => name.parse().ok(),
            _ => None,
        };
        branch.ok_or_else(|| {
            AccessError::not_for_repository(format!(
                "Only a job on a branch may send the list of active branches, and this identity is for {} (claim `{}`).",
                shown(&self.at.value),
                self.at.name
            ))
        })
    }

    fn other_branch(&self, branch: &str) -> AccessError {
        let names = self.git_ref.names().iter().map(|name| shown(name));
        AccessError::not_for_repository(format!(
            "This identity is for {} (claim `{}`), so branch_name must be {}, but it is {}.",
            shown(&self.at.value),
            self.at.name,
            names.collect::<Vec<_>>().join(" or "),
            shown(branch)
        ))
    }
}

impl Claim {
    fn disagrees(&self, parameter: &str, value: &str) -> AccessError {
        AccessError::not_for_repository(format!(
            "This identity is for {} (claim `{}`), but {parameter} is {}.",
            shown(&self.value),
            self.name,
            shown(value)
        ))
    }
}

/// The git ref of a job, as its identity states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GitRef {
    Branch(String),
    /// The name of a branch or a tag; the issuer does not state which.
    Unclear(String),
    /// A pull request, with all its names.
    PullRequest(Vec<String>),
    /// Another ref. A client must send its full name, because a tag may have the name of a branch.
    Other(String),
}

const BRANCHES: &str = "refs/heads/";

impl GitRef {
    /// Reads a full name, such as `refs/heads/main`.
    pub(super) fn of_full_name(name: &str) -> Self {
        match name.strip_prefix(BRANCHES) {
            Some(branch) => Self::Branch(branch.to_owned()),
            None => Self::Other(name.to_owned()),
        }
    }

    /// Reads a full or short name.
    pub(super) fn of_any_name(name: &str) -> Self {
        if name.starts_with("refs/") {
            Self::of_full_name(name)
        } else {
            Self::Unclear(name.to_owned())
        }
    }

    /// Reads a pull request: its full name, the short form of this name, and its source branch.
    ///
    /// If the source branch has the name of the target branch, it belongs to a fork, and must not count as the target branch.
    pub(super) fn of_pull_request(name: &str, head: Option<&str>, base: Option<&str>) -> Self {
        let Some(short) = name
            .strip_prefix("refs/")
            .filter(|_| !name.starts_with(BRANCHES))
            .and_then(|rest| rest.split_once('/'))
            .map(|(_, short)| short)
        else {
            return Self::of_full_name(name);
        };
        let head = head.filter(|_| head != base);
        let names = [head, Some(name), Some(short)];
        Self::PullRequest(names.into_iter().flatten().map(str::to_owned).collect())
    }

    /// Returns the names that a client may send as `branch_name`.
    pub(super) fn names(&self) -> &[String] {
        match self {
            Self::Branch(name) | Self::Unclear(name) | Self::Other(name) => {
                std::slice::from_ref(name)
            }
            Self::PullRequest(names) => names,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_has_its_short_name_and_a_tag_has_its_full_name() {
        let names = |name: &str| GitRef::of_full_name(name).names().to_vec();
        assert_eq!(names("refs/heads/feature/ü"), ["feature/ü"]);
        assert_eq!(names("refs/heads/refs/heads/x"), ["refs/heads/x"]);
        assert_eq!(names("refs/tags/main"), ["refs/tags/main"]);
        assert_eq!(GitRef::of_any_name("main").names(), ["main"]);
        let is_branch = |name| matches!(GitRef::of_any_name(name), GitRef::Branch(_));
        assert!(!is_branch("main") && is_branch("refs/heads/main"));
    }

    #[test]
    fn a_pull_request_has_the_name_of_its_source_branch_and_its_own_names() {
        let of = GitRef::of_pull_request;
        let pull = of("refs/pull/5/merge", Some("fix"), Some("main"));
        assert_eq!(pull.names(), ["fix", "refs/pull/5/merge", "5/merge"]);
        assert!(!matches!(pull, GitRef::Branch(_)));
        let merged = of("refs/heads/main", Some("fix"), Some("main"));
        assert_eq!(merged, GitRef::Branch("main".to_owned()));
    }

    #[test]
    fn a_source_branch_named_like_the_target_does_not_count_as_the_target() {
        let pull = GitRef::of_pull_request("refs/pull/5/merge", Some("main"), Some("main"));
        assert_eq!(pull.names(), ["refs/pull/5/merge", "5/merge"]);
    }
}
