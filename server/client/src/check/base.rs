//! The commit that the changes start from, and the changes.

use crate::{environment::variable, git::Git};
use lines::Changes;

/// Variables with the target branch of a pull request. Jobs of pushes do not have them.
const TARGETS: [&str; 8] = [
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "CHANGE_TARGET",
    "SYSTEM_PULLREQUEST_TARGETBRANCH",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    "CI_COMMIT_TARGET_BRANCH",
    "CIRRUS_BASE_BRANCH",
];

/// Variables with the reference that was checked out.
const REFERENCES: [&str; 2] = ["GITHUB_REF", "BUILD_SOURCEBRANCH"];

/// The base, and the changes since then.
type Based = (String, Changes);

/// Finds the base. The first that exists: the named commit; the commit where HEAD left the named target; the first parent, if the
/// CI system has merged the pull request into its target; the base that GitLab names; the commit where HEAD left the target that
/// the CI system names, or the default branch. The error is the end of a sentence.
pub(super) fn find(git: &Git, named: Option<&str>, target: Option<&str>) -> Result<Based, String> {
    let base = commit(git, named, target)?;
    let changes = git.changes_since(&base);
    let changes = changes.map_err(|error| error.to_string())?;
    Ok((base, changes))
}

fn commit(git: &Git, named: Option<&str>, target: Option<&str>) -> Result<String, String> {
    if let Some(named) = named {
        let unknown = || format!("{named} is no commit of this clone, and cannot be fetched");
        return git.fetched(named).ok_or_else(unknown);
    }
    if let Some(target) = target {
        return fork_point(git, Some(target));
    }
    let mut references = REFERENCES.iter().filter_map(|name| variable(name));
    if let Some(first) = references.find_map(|name| merged_by_ci(git, &name)) {
        let found = git.fetched(&first);
        return found.ok_or_else(|| format!("the base {first} cannot be fetched"));
    }
    let of_gitlab = variable("CI_MERGE_REQUEST_DIFF_BASE_SHA");
    if let Some(found) = of_gitlab.and_then(|base| git.fetched(&base)) {
        return Ok(found);
    }
    let target = TARGETS.iter().find_map(|name| variable(name));
    fork_point(git, target.as_deref())
}

fn fork_point(git: &Git, target: Option<&str>) -> Result<String, String> {
    let target = target.map(|target| target.trim_start_matches("refs/heads/"));
    git.fork_point(target).map_err(|error| {
        format!("git cannot find where HEAD left its target ({error}): name the commit with --base")
    })
}

/// GitHub and Azure check out a merge of the pull request into its target, which is the first parent.
fn merged_by_ci(git: &Git, reference: &str) -> Option<String> {
    let is_merge = reference.starts_with("refs/pull/") && reference.ends_with("/merge");
    let parents = git.parents().ok()?;
    (is_merge && parents.len() == 2).then(|| parents.into_iter().next())?
}
