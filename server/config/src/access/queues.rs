//! Merge queues: the branches on which they test commits, and the branch that each of them tests for.

use crate::items;
use domain::BranchName;
use std::str::FromStr;

/// The branches of merge queues that no name shows, such as `auto=main`. A `*` at the end stands for any rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueBranches(Vec<Queue>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Queue {
    start: String,
    has_rest: bool,
    target: BranchName,
}

impl Queue {
    fn has(&self, branch: &str) -> bool {
        match branch.strip_prefix(&self.start) {
            Some(rest) => rest.is_empty() != self.has_rest,
            None => false,
        }
    }
}

impl QueueBranches {
    /// The branch for which a merge queue tests the commits of `branch`; `None` for other branches. A merge train of GitLab does
    /// not name it: it is `stated` then.
    pub fn target(&self, branch: &BranchName, stated: Option<&BranchName>) -> Option<BranchName> {
        let name = branch.as_str();
        let listed = self.0.iter().find(|queue| queue.has(name));
        let target = listed
            .map(|queue| queue.target.clone())
            .or_else(|| target_on_github(name))
            .or_else(|| stated.filter(|_| is_train(name)).cloned());
        target.filter(|target| target != branch)
    }
}

/// The target of `gh-readonly-queue/release/1.0/pr-7-<commit>`: `release/1.0`.
fn target_on_github(branch: &str) -> Option<BranchName> {
    entry_on_github(branch)?.0.parse().ok()
}

/// The commit on which a queue of GitHub tests an entry: the target or the entry before. The branch ends with it.
#[must_use]
pub fn queue_base(branch: &str) -> Option<&str> {
    let (_, base) = entry_on_github(branch)?;
    let is_hash = base.len() == 40 && base.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some(base)
}

/// The target of an entry, and what follows the number of its pull request.
///
/// <https://docs.github.com/en/repositories/configuring-branches-and-merges-in-your-repository/configuring-pull-request-merges/managing-a-merge-queue>
fn entry_on_github(branch: &str) -> Option<(&str, &str)> {
    let (target, entry) = branch
        .strip_prefix("gh-readonly-queue/")?
        .rsplit_once("/pr-")?;
    let (number, base) = entry.split_once('-')?;
    is_number(number).then_some((target, base))
}

/// Whether a ref is the merge train of a merge request: `refs/merge-requests/7/train`.
///
/// <https://docs.gitlab.com/ci/pipelines/merge_trains/>
#[must_use]
pub fn is_train(name: &str) -> bool {
    let number = name
        .strip_prefix("refs/merge-requests/")
        .and_then(|rest| rest.strip_suffix("/train"));
    number.is_some_and(is_number)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

impl FromStr for QueueBranches {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let queues = items(text).map(|item| {
            let wrong = || format!("{item} is not like auto=main or mergify/merge-queue/*=main");
            let (branch, target) = item.split_once('=').ok_or_else(wrong)?;
            let (start, has_rest) = match branch.strip_suffix('*') {
                Some(start) => (start, true),
                None => (branch, false),
            };
            let is_branch = start.parse::<BranchName>().is_ok() && !start.contains('*');
            let target = target.parse().map_err(|error| format!("{item}: {error}"))?;
            is_branch.then_some(()).ok_or_else(wrong)?;
            Ok(Queue {
                start: start.to_owned(),
                has_rest,
                target,
            })
        });
        queues.collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(listed: &str, branch: &str, stated: Option<&str>) -> Option<String> {
        let listed: QueueBranches = listed.parse().expect("queues");
        let stated: Option<BranchName> = stated.map(|name| name.parse().expect("a branch"));
        let branch = branch.parse().expect("a branch");
        let target = listed.target(&branch, stated.as_ref());
        target.map(|target| target.to_string())
    }

    #[test]
    fn the_branch_of_a_queue_names_its_target() {
        let commit = "0123456789abcdef0123456789abcdef01234567";
        for (branch, expected) in [
            (format!("gh-readonly-queue/main/pr-7-{commit}"), "main"),
            (
                format!("gh-readonly-queue/release/1.0/pr-7-{commit}"),
                "release/1.0",
            ),
            (
                format!("gh-readonly-queue/fix/pr-1-a/pr-7-{commit}"),
                "fix/pr-1-a",
            ),
        ] {
            assert_eq!(target("", &branch, None).as_deref(), Some(expected));
            assert_eq!(queue_base(&branch), Some(commit), "{branch}");
        }
        for branch in [
            "main",
            "auto",
            "staging",
            "gh-readonly-queue/main",
            "gh-readonly-queue/main/pr-7",
            "gh-readonly-queue/main/pr-x-1",
            "gh-readonly-queue/pr-7-1",
            "x/gh-readonly-queue/main/pr-7-1",
        ] {
            assert_eq!(target("", branch, Some("main")), None, "{branch}");
            assert_eq!(queue_base(branch), None, "{branch}");
        }
        assert_eq!(queue_base("gh-readonly-queue/main/pr-7-1"), None);
    }

    #[test]
    fn a_merge_train_has_the_stated_target() {
        let train = "refs/merge-requests/7/train";
        assert_eq!(target("", train, Some("main")).as_deref(), Some("main"));
        assert_eq!(target("", train, None), None);
        for other in ["refs/merge-requests/7/head", "refs/merge-requests/x/train"] {
            assert_eq!(target("", other, Some("main")), None, "{other}");
        }
    }

    #[test]
    fn the_operator_lists_other_queues() {
        let listed = "auto=main, mergify/merge-queue/*=release/1.0,main=main";
        let of = |branch| target(listed, branch, None);
        assert_eq!(of("auto").as_deref(), Some("main"));
        assert_eq!(of("mergify/merge-queue/1f").as_deref(), Some("release/1.0"));
        for branch in ["autos", "mergify/merge-queue/", "mergify", "main"] {
            assert_eq!(of(branch), None, "{branch}");
        }
        for wrong in ["auto", "=main", "*=main", "auto=", "a*b=main"] {
            assert!(wrong.parse::<QueueBranches>().is_err(), "{wrong}");
        }
    }
}
