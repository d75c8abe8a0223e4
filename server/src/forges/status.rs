//! A status of a commit, as every forge knows it.

use domain::{BranchName, CommitHash, Percentage, Repository};

/// What a status says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Coverage is on its way.
    Pending,
    /// It came, and is enough.
    Success,
    /// It came, and is below the minimum.
    Failure,
    /// It came, but could not be taken.
    Error,
}

/// The status of a commit under one name.
#[derive(Clone, Debug)]
pub struct CommitStatus {
    /// The repository.
    pub repository: Repository,
    /// The commit.
    pub commit: CommitHash,
    /// The branch that it was built for.
    pub branch: Option<BranchName>,
    /// The name: another one of the same name takes its place.
    pub context: String,
    /// What it says.
    pub state: State,
    /// The same in a few words.
    pub description: String,
    /// Where to read more.
    pub target_url: Option<String>,
    /// The coverage, for services that keep it.
    pub coverage: Option<Percentage>,
}

/// Characters that GitHub keeps of a description, the fewest of all.
const DESCRIPTION: usize = 140;

impl CommitStatus {
    /// Coverage is on its way.
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

    /// The description, as short as every service takes it.
    pub(super) fn short_description(&self) -> String {
        match self.description.char_indices().nth(DESCRIPTION) {
            None => self.description.clone(),
            Some(_) => {
                let kept = self.description.chars().take(DESCRIPTION - 1);
                kept.chain(['…']).collect()
            }
        }
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
