//! What an issuer vouches for, and whether it is what a client wants to write about.

use super::{git_ref::GitRef, shown};
use crate::{auth::Subject, http::error::ApiError, store::ForgeIds};
use domain::BranchName;

/// A CI job whose system vouches for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    /// What it is called in the ledger.
    pub(crate) name: String,
    /// The forge that vouches for it.
    pub(crate) forge: String,
    pub(super) repository: Claim,
    pub(super) at: Claim,
    pub(super) git_ref: GitRef,
    pub(super) commit: Claim,
    /// By which numbers the service knows the repository and its owner.
    pub(crate) ids: Option<ForgeIds>,
}

/// A claim as the issuer made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) name: String,
    pub(super) value: String,
}

impl Identity {
    /// Whether it is for what a client wants to write about. Where that is all branches of a repository, it has to be of one
    /// of its branches: what a pull request or a tag runs on has no say in which branches there are.
    ///
    /// # Errors
    ///
    /// 403 `token_not_for_repository`, with the claim and the parameter that disagree.
    pub(crate) fn agrees_with(&self, subject: Subject<'_>) -> Result<(), ApiError> {
        let repository = subject.repository.to_string();
        // Source-hosting services ignore case in names, too.
        if !self.repository.value.eq_ignore_ascii_case(&repository) {
            return Err(self.repository.disagrees("org_name/repo_name", &repository));
        }
        match subject.branch.map(|branch| branch.as_str()) {
            None => drop(self.branch()?),
            Some(branch) if self.git_ref.names().iter().any(|name| name == branch) => {}
            Some(branch) => return Err(self.other_branch(branch)),
        }
        let commit = subject.commit.as_str();
        match self.commit.value == commit {
            true => Ok(()),
            false => Err(self.commit.disagrees("commit_hash", commit)),
        }
    }

    /// Whether it is of a pull request, whose names are chosen by whoever opened it.
    pub(crate) fn is_of_pull_request(&self) -> bool {
        matches!(self.git_ref, GitRef::PullRequest(_))
    }

    /// The branch that it is of for certain.
    ///
    /// # Errors
    ///
    /// 403 `token_not_for_repository` where it is of something else.
    pub(crate) fn branch(&self) -> Result<BranchName, ApiError> {
        let branch = match &self.git_ref {
            GitRef::Branch(name) => name.parse().ok(),
            _ => None,
        };
        branch.ok_or_else(|| {
            ApiError::token_not_for_repository(format!(
                "Only a job of a branch may say which branches are active, and this identity is for {} (claim `{}`).",
                shown(&self.at.value),
                self.at.name
            ))
        })
    }

    fn other_branch(&self, branch: &str) -> ApiError {
        let names = self.git_ref.names().iter().map(|name| shown(name));
        ApiError::token_not_for_repository(format!(
            "This identity is for {} (claim `{}`), where branch_name has to be {}, but branch_name is {}.",
            shown(&self.at.value),
            self.at.name,
            names.collect::<Vec<_>>().join(" or "),
            shown(branch)
        ))
    }
}

impl Claim {
    fn disagrees(&self, parameter: &str, value: &str) -> ApiError {
        ApiError::token_not_for_repository(format!(
            "This identity is for {} (claim `{}`), but {parameter} is {}.",
            shown(&self.value),
            self.name,
            shown(value)
        ))
    }
}
