//! Pull requests of GitHub: `GET /repos/{owner}/{repo}/pulls/{number}` as JSON and as a diff, and its files in pages.
//!
//! <https://docs.github.com/en/rest/pulls/pulls>

use super::GitHub;
use crate::{
    forge::{
        Ends, Pull, Row, RowLines, TreePage, in_repository,
        pulls::{Pulls, commit},
    },
    message,
    outbound::Answer,
};
use domain::{CommitHash, Repository};
use http::StatusCode;
use reqwest::Url;
use serde::Deserialize;
use serde_json::Value;

/// The most files and lines of a diff.
const DIFF_FILES: u64 = 300;
const DIFF_LINES: u64 = 20_000;

/// After about 20,000 lines of an answer, GitHub omits the lines of further files without a mark: such a file looks like a
/// renamed one. Up to this number of lines, a rename is certain.
const SURE_LINES: usize = 5_000;

/// The output of `git hash-object` for an empty file.
const EMPTY_FILES: [&str; 2] = [
    "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
];

impl Pulls for GitHub {
    fn ends(&self, body: &Value) -> Option<Ends> {
        let number = |name| body.get(name).and_then(Value::as_u64);
        Some(Ends {
            head: commit(body.pointer("/head/sha"))?,
            base: commit(body.pointer("/base/sha")),
            merge_base: None,
            merge: commit(body.get("merge_commit_sha")),
            files: number("changed_files"),
            lines: number("additions")
                .zip(number("deletions"))
                .map(|(added, removed)| added.saturating_add(removed)),
        })
    }

    fn tree_url(&self, api: &Url, repository: &Repository, commit: &CommitHash, _: u32) -> Url {
        in_repository(api, repository, &["git", "commits", commit.as_str()])
    }

    fn tree(&self, body: &Value) -> Option<TreePage> {
        let tree = body.pointer("/tree/sha")?.as_str()?;
        Some(TreePage::Hash(tree.to_owned()))
    }

    fn merge_base_url(&self, api: &Url, repository: &Repository, ends: &Ends) -> Option<Url> {
        let base_and_head = format!("{}...{}", ends.base.as_ref()?, ends.head);
        let mut url = in_repository(api, repository, &["compare", &base_and_head]);
        // Only the first page lists files.
        url.set_query(Some("per_page=1&page=2"));
        Some(url)
    }

    fn merge_base(&self, body: &Value) -> Option<CommitHash> {
        commit(body.pointer("/merge_base_commit/sha"))
    }

    fn diff_url(&self, api: &Url, pull: Pull<'_>) -> Option<(Url, &'static str)> {
        Some((self.pull_url(api, pull), "application/vnd.github.v3.diff"))
    }

    fn refuses_diff(&self, ends: &Ends) -> bool {
        ends.files.is_some_and(|files| files > DIFF_FILES)
            || ends.lines.is_some_and(|lines| lines > DIFF_LINES)
    }

    fn found_too_large(&self, answer: &Answer) -> bool {
        answer.status == StatusCode::NOT_ACCEPTABLE
            || (answer.status == StatusCode::UNPROCESSABLE_ENTITY
                && message(answer).contains("diff exceeded"))
    }

    fn files_url(&self, api: &Url, pull: Pull<'_>, rows: u64, page: u32) -> Option<Url> {
        let segments = ["pulls", pull.number.as_str(), "files"];
        let mut url = in_repository(api, pull.repository, &segments);
        url.set_query(Some(&format!("per_page={rows}&page={page}")));
        Some(url)
    }

    fn most_rows(&self) -> u64 {
        100
    }

    fn rows(&self, body: &[u8]) -> Option<Vec<Row>> {
        let files: Vec<File> = serde_json::from_slice(body).ok()?;
        let mut lines = 0;
        let rows = files.into_iter().map(|file| {
            let is_sure = lines < SURE_LINES;
            let patch = file.patch.as_deref().unwrap_or_default();
            lines += patch.bytes().filter(|byte| *byte == b'\n').count() + 1;
            file.row(is_sure)
        });
        Some(rows.collect())
    }
}

/// A row of `GET /repos/{owner}/{repo}/pulls/{number}/files`.
#[derive(Deserialize)]
struct File {
    filename: String,
    previous_filename: Option<String>,
    status: String,
    /// The identifier of the blob.
    sha: Option<String>,
    additions: u64,
    deletions: u64,
    patch: Option<String>,
}

impl File {
    /// `is_sure` means: if a few lines of this file had changed, GitHub would have sent them.
    fn row(self, is_sure: bool) -> Row {
        let counts = (self.additions, self.deletions);
        let is_empty = self
            .sha
            .is_some_and(|sha| EMPTY_FILES.contains(&sha.as_str()));
        let lines = match (self.patch, self.status.as_str()) {
            (Some(patch), _) if is_submodule(&patch) => RowLines::Submodule,
            (Some(patch), _) if !patch.is_empty() => RowLines::Hunks(patch, Some(counts)),
            (_, "removed" | "unchanged") => RowLines::None,
            (_, "renamed" | "copied") if is_sure && counts == (0, 0) => RowLines::None,
            (_, "added") if is_empty => RowLines::None,
            _ => RowLines::LeftOut,
        };
        let (old_path, path) = match self.status.as_str() {
            "added" => (None, Some(self.filename)),
            "removed" => (Some(self.filename), None),
            _ => {
                let old_path = self
                    .previous_filename
                    .unwrap_or_else(|| self.filename.clone());
                (Some(old_path), Some(self.filename))
            }
        };
        Row {
            old_path,
            path,
            lines,
        }
    }
}

/// Returns whether a patch changes the commit of a submodule.
fn is_submodule(patch: &str) -> bool {
    let mut lines = patch.lines();
    let is_hunk = lines.next().is_some_and(|line| line.starts_with("@@ "));
    let mut is_any = false;
    is_hunk
        && lines.all(|line| {
            is_any = true;
            line.starts_with("-Subproject commit ") || line.starts_with("+Subproject commit ")
        })
        && is_any
}
