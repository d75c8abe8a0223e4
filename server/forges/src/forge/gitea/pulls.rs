//! Pull requests of Gitea and Forgejo: `GET /repos/{owner}/{repo}/pulls/{number}`, and the same address with `.diff`.
//!
//! <https://docs.gitea.com/api/#tag/repository/operation/repoDownloadPullDiffOrPatch>

use super::Gitea;
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

    fn diff_url(&self, api: &Url, pull: Pull<'_>) -> Option<(Url, &'static str)> {
        let diff = format!("{}.diff", pull.number);
        let url = in_repository(api, pull.repository, &["pulls", &diff]);
        Some((url, "text/plain"))
    }
}
