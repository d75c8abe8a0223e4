//! What other rules would have said about the last pull requests of a repository.

use crate::{Gate, GateRules, PullRequestRow, Repository, Timestamp};

/// The gate of a repository, and what other rules would have said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatePreview {
    /// When it was read; ages are relative to it.
    pub now: Timestamp,
    /// The repository.
    pub repository: Repository,
    /// The rules by their source, as texts; the first source that sets a rule wins.
    pub sources: Vec<(String, GateRules)>,
    /// Whether rules are set for the repository itself.
    pub has_own: bool,
    /// The last pull requests, the newest first.
    pub pull_requests: Vec<PreviewedPullRequest>,
}

/// The newest record of a pull request in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewedPullRequest {
    /// What is known about it, with the verdict that was stated.
    pub row: PullRequestRow,
    /// What the other rules would have said; `None` if none of them has a limit.
    pub foreseen: Option<Gate>,
}

impl GatePreview {
    /// How many pull requests are judged.
    pub const MOST: usize = 20;
}
