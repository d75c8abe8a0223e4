//! Merge requests of GitLab: `GET /projects/{path}/merge_requests/{iid}` and its diffs in pages.
//!
//! <https://docs.gitlab.com/api/merge_requests/#list-merge-request-diffs>, <https://docs.gitlab.com/api/jobs/>

use super::{GitLab, in_project, in_pull};
use crate::Job;
use crate::forge::{
    Ends, Pull, Row, RowLines, TreePage,
    pulls::{Pulls, commit, entries},
};
use domain::{CommitHash, Repository};
use reqwest::Url;
use serde::Deserialize;
use serde_json::Value;

/// The most entries on a page of a folder.
const TREE_ROWS: usize = 100;

/// The mode of a submodule.
const SUBMODULE: &str = "160000";

impl Pulls for GitLab {
    fn pull_url(&self, api: &Url, pull: Pull<'_>) -> Url {
        in_pull(api, pull, &[])
    }

    fn ends(&self, body: &Value) -> Option<Ends> {
        // "1000+" for more files.
        let files = body.get("changes_count").and_then(Value::as_str);
        let files = files.and_then(|files| files.trim_end_matches('+').parse().ok());
        let end = |name: &str| commit(body.get("diff_refs")?.get(name));
        Some(Ends {
            head: end("head_sha")?,
            base: end("start_sha"),
            merge_base: end("base_sha"),
            merge: None,
            files,
            lines: None,
        })
    }

    fn tree_url(&self, api: &Url, repository: &Repository, commit: &CommitHash, page: u32) -> Url {
        let mut url = in_project(api, repository, &["repository", "tree"]);
        url.query_pairs_mut()
            .append_pair("ref", commit.as_str())
            .append_pair("per_page", &TREE_ROWS.to_string())
            .append_pair("page", &page.to_string());
        url
    }

    fn tree(&self, body: &Value) -> Option<TreePage> {
        let entries = entries(body.as_array()?, ["name", "mode", "id"])?;
        let has_more = entries.len() >= TREE_ROWS;
        Some(TreePage::Entries(entries, has_more))
    }

    fn job_url(&self, api: &Url, repository: &Repository, job: Job) -> Option<Url> {
        match job {
            Job::GitLab(number) => {
                Some(in_project(api, repository, &["jobs", &number.to_string()]))
            }
            Job::Run(_) => None,
        }
    }

    /// A job has the commit of its pipeline: the head, or the merge in a pipeline of merged results or of a merge train.
    fn job_commit(&self, body: &Value, _: &CommitHash) -> Option<CommitHash> {
        commit(body.pointer("/commit/id"))
    }

    fn files_url(&self, api: &Url, pull: Pull<'_>, rows: u64, page: u32) -> Option<Url> {
        let mut url = in_pull(api, pull, &["diffs"]);
        url.set_query(Some(&format!("per_page={rows}&page={page}")));
        Some(url)
    }

    fn rows(&self, body: &[u8]) -> Option<Vec<Row>> {
        let files: Vec<File> = serde_json::from_slice(body).ok()?;
        Some(files.into_iter().map(File::row).collect())
    }
}

/// A row of `GET /projects/{path}/merge_requests/{iid}/diffs`.
#[derive(Deserialize)]
struct File {
    old_path: String,
    new_path: String,
    a_mode: Option<String>,
    b_mode: Option<String>,
    diff: Option<String>,
    #[serde(default)]
    new_file: bool,
    #[serde(default)]
    renamed_file: bool,
    #[serde(default)]
    deleted_file: bool,
    /// Whether the lines are omitted. Only newer versions send it.
    collapsed: Option<bool>,
    too_large: Option<bool>,
}

impl File {
    fn row(self) -> Row {
        let is_left_out = self.collapsed == Some(true) || self.too_large == Some(true);
        let is_said = self.collapsed.is_some() && self.too_large.is_some();
        let is_submodule = [self.a_mode, self.b_mode]
            .iter()
            .flatten()
            .any(|mode| mode == SUBMODULE);
        let lines = match self.diff {
            _ if is_submodule => RowLines::Submodule,
            Some(diff) if !is_left_out && !diff.is_empty() => RowLines::Hunks(diff, None),
            _ if self.deleted_file => RowLines::None,
            // A file without lines is new, or was only renamed. Older versions do not tell these apart.
            _ if is_said && !is_left_out && (self.new_file || self.renamed_file) => RowLines::None,
            _ => RowLines::LeftOut,
        };
        Row {
            old_path: (!self.new_file).then_some(self.old_path),
            path: (!self.deleted_file).then_some(self.new_path),
            lines,
        }
    }
}
