//! A verified identity, and whether it permits a client's change.

use super::{git_ref::GitRef, shown};
use crate::{Subject, error::AccessError};
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
    /// The forge's ids of the repository and its owner.
    pub ids: Option<ForgeIds>,
    /// The number of the CI run, if the claims have it.
    pub run: Option<RunNumber>,
}

/// The number of a CI run, which is part of the address of its page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RunNumber {
    /// A run of GitHub's Actions.
    Run(String),
    /// A job of GitLab.
    Job(String),
}

/// A claim with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) name: String,
    pub(super) value: String,
}

impl Identity {
    /// Checks that the identity is for the change. The list of active branches needs the identity of a job on a branch, not on a
    /// pull request or a tag.
    ///
    /// # Errors
    ///
    /// 403 `token_not_for_repository`, with the claim and the parameter that disagree.
    pub(crate) fn agrees_with(&self, subject: Subject<'_>) -> Result<(), AccessError> {
        let repository = subject.repository.to_string();
        // Forges ignore case in names too.
        if !self.repository.value.eq_ignore_ascii_case(&repository) {
            return Err(self.repository.disagrees("org_name/repo_name", &repository));
        }
        match subject.branch.map(|branch| branch.as_str()) {
            None => drop(self.branch()?),
            Some(branch) if self.git_ref.names().iter().any(|name| name == branch) => {}
            Some(branch) => return Err(self.other_branch(branch)),
        }
        let commit = subject.commit.as_str();
        // The job of a pull request runs on its merge with the target branch, and uploads for the head.
        if self.commit.value == commit || self.is_of_pull_request() {
            Ok(())
        } else {
            Err(self.commit.disagrees("commit_hash", commit))
        }
    }

    /// Returns the path of the run's page on the forge.
    pub(crate) fn run_page(&self) -> Option<String> {
        let repository = &self.repository.value;
        Some(match self.run.as_ref()? {
            RunNumber::Run(number) => format!("{repository}/actions/runs/{number}"),
            RunNumber::Job(number) => format!("{repository}/-/jobs/{number}"),
        })
    }

    /// Returns the commit of the job, if the job uploads for another commit.
    pub(crate) fn measured_commit(&self, subject: Subject<'_>) -> Option<CommitHash> {
        let own = self.commit.value.as_str();
        (own != subject.commit.as_str())
            .then(|| own.parse().ok())
            .flatten()
    }

    /// Returns whether the identity is of a pull request, whose author chooses its names.
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
