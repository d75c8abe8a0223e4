//! Pull requests of Gitea and Forgejo: `GET /repos/{owner}/{repo}/pulls/{number}`, and the same address with `.diff`.
//!
//! <https://docs.gitea.com/api/#tag/repository/operation/repoDownloadPullDiffOrPatch>

use super::Gitea;
use crate::forge::{
    Ends, Entry, Pull, TreePage,
    address::below,
    github,
    pulls::{Pulls, commit},
};
use domain::{CommitHash, Repository};
use reqwest::Url;
use serde_json::Value;

impl Pulls for Gitea {
    fn pull_url(&self, api: &Url, pull: Pull<'_>) -> Url {
        github::pull_url(api, pull)
    }

    fn ends(&self, body: &Value) -> Option<Ends> {
        Some(Ends {
            head: commit(body.pointer("/head/sha"))?,
            base: commit(body.pointer("/base/sha")),
            merge_base: commit(body.get("merge_base")),
            files: None,
            lines: None,
        })
    }

    fn tree_url(&self, api: &Url, repository: &Repository, commit: &CommitHash, page: u32) -> Url {
        let (org, repo) = (repository.org.as_str(), repository.repo.as_str());
        let mut url = below(api, &["repos", org, repo, "git", "trees", commit.as_str()]);
        url.set_query(Some(&format!("page={page}")));
        url
    }

    fn tree(&self, body: &Value) -> Option<TreePage> {
        // The identifier beside the entries is the commit, not the tree.
        let rows = body.get("tree")?.as_array()?;
        let text = |row: &Value, name| Some(row.get(name)?.as_str()?.to_owned());
        let entries = rows.iter().map(|row| {
            Some(Entry {
                name: text(row, "path")?,
                mode: text(row, "mode")?,
                id: text(row, "sha")?,
            })
        });
        let has_more = body.get("truncated").and_then(Value::as_bool) == Some(true);
        Some(TreePage::Entries(entries.collect::<Option<_>>()?, has_more))
    }

    fn diff_url(&self, api: &Url, pull: Pull<'_>) -> Option<(Url, &'static str)> {
        let repository = pull.repository;
        let (org, repo) = (repository.org.as_str(), repository.repo.as_str());
        let diff = format!("{}.diff", pull.number);
        let url = below(api, &["repos", org, repo, "pulls", &diff]);
        Some((url, "text/plain"))
    }

    fn right_to_read_pulls(&self) -> &'static str {
        "`read:repository`"
    }
}
