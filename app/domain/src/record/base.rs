//! The base record of a record, and how it was found.

use super::RecordBeside;
use crate::{BranchName, choice::choices};

/// The record that a record's change is stated against, of the same repository and language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseRecord {
    /// The record.
    pub record: RecordBeside,
    /// Its branch.
    pub branch: BranchName,
    /// How it was found.
    pub found_by: FoundBy,
}

choices! {
    /// How a base record was found, in the order in which the ways are tried. Its word is the word in the API.
    FoundBy:
    /// It is a record of the commit that the upload names as `base_commit`.
    Commit = "commit",
    /// It has the tree that the upload names as `base_tree`.
    Tree = "tree",
    /// It is the last complete record before this one on the branch that the upload names as `target_branch`.
    TargetBranch = "target_branch",
    /// It is the last complete record before this one on the main branch.
    MainBranch = "main_branch",
}

impl FoundBy {
    /// Whether the base has exactly the lines that a change of the head starts from, so that hunks can be applied to it.
    #[must_use]
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Commit | Self::Tree)
    }
}

impl BaseRecord {
    /// The name of the base in a phrase that begins with “against”; `branch` is the record's branch.
    #[must_use]
    pub fn name(&self, branch: &BranchName) -> String {
        match self.found_by {
            FoundBy::Commit | FoundBy::Tree => format!("commit {}", self.record.commit.short()),
            FoundBy::TargetBranch | FoundBy::MainBranch if self.branch == *branch => {
                "the record before".to_owned()
            }
            FoundBy::TargetBranch | FoundBy::MainBranch => self.branch.to_string(),
        }
    }

    /// How the base was found, as a phrase; `branch` is the record's branch.
    #[must_use]
    pub fn reason(&self, branch: &BranchName) -> String {
        match self.found_by {
            FoundBy::Commit => "the commit that its changes start from".to_owned(),
            FoundBy::Tree => {
                "a commit with the same tree as the one that its changes start from".to_owned()
            }
            FoundBy::TargetBranch | FoundBy::MainBranch if self.branch == *branch => {
                "the previous record on its branch".to_owned()
            }
            FoundBy::TargetBranch | FoundBy::MainBranch => {
                format!("the record that {} had at that time", self.branch)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Percentage, Timestamp};

    fn base(branch: &str, found_by: FoundBy) -> BaseRecord {
        BaseRecord {
            record: RecordBeside {
                id: 1,
                commit: "5b174c2d6f7a8b9c".parse().expect("a commit"),
                percentage: Percentage::from_basis_points(8_000),
                updated_at: Timestamp(0),
            },
            branch: branch.parse().expect("a branch"),
            found_by,
        }
    }

    #[test]
    fn a_base_is_called_by_how_it_was_found() {
        let head: BranchName = "fix".parse().expect("a branch");
        for (branch, found_by, name, reason) in [
            (
                "main",
                FoundBy::Commit,
                "commit 5b174c2d",
                "the commit that its changes start from",
            ),
            (
                "main",
                FoundBy::Tree,
                "commit 5b174c2d",
                "a commit with the same tree as the one that its changes start from",
            ),
            (
                "release",
                FoundBy::TargetBranch,
                "release",
                "the record that release had at that time",
            ),
            (
                "main",
                FoundBy::MainBranch,
                "main",
                "the record that main had at that time",
            ),
            (
                "fix",
                FoundBy::MainBranch,
                "the record before",
                "the previous record on its branch",
            ),
        ] {
            let base = base(branch, found_by);
            assert_eq!(base.name(&head), name);
            assert_eq!(base.reason(&head), reason);
            assert_eq!(found_by.is_exact(), name.starts_with("commit"));
        }
    }
}
