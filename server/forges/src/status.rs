//! The commit status, as all forges have it.

use domain::{BranchName, CommitHash, Percentage, Repository, text::shortened};

/// The state of a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The upload is in progress.
    Pending,
    /// The upload was accepted, and reaches the minimum.
    Success,
    /// The upload was accepted, and is below the minimum.
    Failure,
    /// The upload was refused or failed.
    Error,
}

/// The status of a commit under one name.
#[derive(Clone, Debug)]
pub struct CommitStatus {
    /// The repository.
    pub repository: Repository,
    /// The commit.
    pub commit: CommitHash,
    /// The branch of the upload.
    pub branch: Option<BranchName>,
    /// The name of the status. A later status with the same name replaces this one.
    pub context: String,
    /// The state.
    pub state: State,
    /// The state, described in a few words.
    pub description: String,
    /// The link for more details.
    pub target_url: Option<String>,
    /// The coverage, for forges that store it.
    pub coverage: Option<Percentage>,
}

/// The longest description in characters on GitHub, which has the lowest limit of all forges.
const DESCRIPTION: usize = 140;

impl CommitStatus {
    /// Returns the status of an upload in progress.
    pub fn pending(
        repository: &Repository,
        commit: &CommitHash,
        branch: Option<&BranchName>,
        context: String,
    ) -> Self {
        Self {
            repository: repository.clone(),
            commit: commit.clone(),
            branch: branch.cloned(),
            context,
            state: State::Pending,
            description: "Coverage is being uploaded".to_owned(),
            target_url: None,
            coverage: None,
        }
    }

    /// Returns the same status in another state.
    #[must_use]
    pub fn with(&self, state: State, description: impl Into<String>) -> Self {
        Self {
            state,
            description: description.into(),
            ..self.clone()
        }
    }

    /// Returns the description, cut to a length that every forge accepts.
    pub(super) fn short_description(&self) -> String {
        shortened(&self.description, DESCRIPTION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_truncated_to_what_every_forge_accepts() {
        let mut status = CommitStatus::pending(
            &"acme/payments".parse().expect("a repository"),
            &"c1".parse().expect("a commit"),
            None,
            "coverage/rust".to_owned(),
        );
        status.description = "ü".repeat(140);
        assert_eq!(status.short_description(), status.description);
        status.description.push('!');
        let short = status.short_description();
        assert_eq!((short.chars().count(), short.ends_with("ü…")), (140, true));
    }
}
