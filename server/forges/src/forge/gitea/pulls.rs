//! Pull requests of Gitea and Forgejo: `GET /repos/{owner}/{repo}/pulls/{number}`, and the same address with `.diff`.
//!
//! <https://docs.gitea.com/api/#tag/repository/operation/repoDownloadPullDiffOrPatch>

use super::Gitea;
use crate::Job;
use crate::forge::{
    Ends, Pull, TreePage, in_repository,
    pulls::{Pulls, commit, entries},
};
use domain::{CommitHash, Repository};
use reqwest::Url;
use serde_json::Value;

impl Pulls for Gitea {
    fn ends(&self, body: &Value) -> Option<Ends> {
        Some(Ends {
            head: commit(body.pointer("/head/sha"))?,
            base: commit(body.pointer("/base/sha")),
            merge_base: commit(body.get("merge_base")),
            merge: None,
            files: None,
            lines: None,
        })
    }

    fn tree_url(&self, api: &Url, repository: &Repository, commit: &CommitHash, page: u32) -> Url {
        let mut url = in_repository(api, repository, &["git", "trees", commit.as_str()]);
        url.set_query(Some(&format!("page={page}")));
        url
    }

    fn tree(&self, body: &Value) -> Option<TreePage> {
        // The identifier beside the entries is the commit, not the tree.
        let entries = entries(body.get("tree")?.as_array()?, ["path", "mode", "sha"])?;
        let has_more = body.get("truncated").and_then(Value::as_bool) == Some(true);
        Some(TreePage::Entries(entries, has_more))
    }

    fn job_url(&self, api: &Url, repository: &Repository, job: Job) -> Option<Url> {
        match job {
            Job::Run(number) => {
                let segments = ["actions", "runs", &number.to_string()];
                Some(in_repository(api, repository, &segments))
            }
            Job::GitLab(_) => None,
        }
    }

    /// Gitea makes no merge for a pull request: a run measures its commit. Only after the event `pull_request_target` it measures the
    /// target branch, although it states the head. Forgejo has other names for the members.
    fn job_commit(&self, body: &Value, named: &CommitHash) -> Option<CommitHash> {
        let member = |names: [&str; 2]| names.into_iter().find_map(|name| body.get(name));
        let event = member(["trigger_event", "event"])?.as_str()?;
        let commit = commit(member(["commit_sha", "head_sha"]))?;
        let is_named = commit.as_str().eq_ignore_ascii_case(named.as_str());
        (event != "pull_request_target" && is_named).then_some(commit)
    }

    fn diff_url(&self, api: &Url, pull: Pull<'_>) -> Option<(Url, &'static str)> {
        let diff = format!("{}.diff", pull.number);
        let url = in_repository(api, pull.repository, &["pulls", &diff]);
        Some((url, "text/plain"))
    }
}
