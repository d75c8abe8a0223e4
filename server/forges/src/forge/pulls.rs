//! How each kind of forge returns the changes of a pull request.

use super::{in_repository, is_full_hash};
use crate::{Job, outbound::Answer};
use domain::{CommitHash, PullRequest, Repository};
use reqwest::Url;
use serde_json::Value;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull<'a> {
    pub(crate) repository: &'a Repository,
    pub(crate) number: &'a PullRequest,
}

/// The first and the last commit of the diff of a pull request, and its size.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    pub(crate) head: CommitHash,
    /// The commit of the target branch with which the forge compares.
    pub(crate) base: Option<CommitHash>,
    /// The start of the diff, if this answer contains it.
    pub(crate) merge_base: Option<CommitHash>,
    /// The merge of the head with the target branch, which the forge made for the jobs of the pull request.
    pub(crate) merge: Option<CommitHash>,
    /// The number of changed files. On GitLab it may be too low.
    pub(crate) files: Option<u64>,
    /// The number of added and removed lines.
    pub(crate) lines: Option<u64>,
}

impl Ends {
    /// Returns whether the diff is between the same commits.
    pub(crate) fn are(&self, other: &Self) -> bool {
        (&self.head, &self.base, &self.merge_base) == (&other.head, &other.base, &other.merge_base)
    }
}

/// A page of the answer about the tree of a commit.
#[derive(Debug)]
pub(crate) enum TreePage {
    /// The identifier of the tree.
    Hash(String),
    /// Entries of the root folder, and whether more pages follow.
    Entries(Vec<Entry>, bool),
}

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Octal digits, possibly with leading zeros.
    pub(crate) mode: String,
    /// The identifier of the blob, tree or commit.
    pub(crate) id: String,
}

impl Entry {
    /// Git sorts folders as if their names ended with a slash.
    pub(crate) fn order(&self) -> impl Iterator<Item = u8> {
        let is_tree = self.mode.trim_start_matches('0') == "40000";
        self.name.bytes().chain(is_tree.then_some(b'/'))
    }
}

/// Reads entries whose name, mode and identifier are in members with these names.
pub(super) fn entries(rows: &[Value], [name, mode, id]: [&str; 3]) -> Option<Vec<Entry>> {
    let entry = |row: &Value| {
        let text = |name| Some(row.get(name)?.as_str()?.to_owned());
        Some(Entry {
            name: text(name)?,
            mode: text(mode)?,
            id: text(id)?,
        })
    };
    rows.iter().map(entry).collect()
}

/// A changed file: one row of an answer.
#[derive(Debug)]
pub(crate) struct Row {
    /// The path in the base. `None` if the file was added.
    pub(crate) old_path: Option<String>,
    /// The path in the head. `None` if the file was deleted.
    pub(crate) path: Option<String>,
    pub(crate) lines: RowLines,
}

#[derive(Debug)]
pub(crate) enum RowLines {
    /// The hunks, and the numbers of added and removed lines, if the forge counts them.
    Hunks(String, Option<(u64, u64)>),
    /// No line changed.
    None,
    /// The forge omitted the lines.
    LeftOut,
    /// A submodule, which has no lines.
    Submodule,
}

pub(crate) trait Pulls {
    fn pull_url(&self, api: &Url, pull: Pull<'_>) -> Url {
        in_repository(api, pull.repository, &["pulls", pull.number.as_str()])
    }

    /// Reads the answer. `None` if it is not understood.
    fn ends(&self, body: &Value) -> Option<Ends>;

    /// Returns the URL of the tree of a commit. Pages are counted from 1.
    fn tree_url(&self, api: &Url, repository: &Repository, commit: &CommitHash, page: u32) -> Url;

    /// Reads the answer. `None` if it is not understood.
    fn tree(&self, body: &Value) -> Option<TreePage>;

    /// Returns the URL of the merge base, if the pull request does not contain it.
    fn merge_base_url(&self, _: &Url, _: &Repository, _: &Ends) -> Option<Url> {
        None
    }

    /// Reads the answer. `None` if it is not understood.
    fn merge_base(&self, _: &Value) -> Option<CommitHash> {
        None
    }

    /// Returns the URL of a job of the forge's own CI system. `None` if the answer does not state what the job measured.
    fn job_url(&self, _: &Url, _: &Repository, _: Job) -> Option<Url> {
        None
    }

    /// Reads the commit that a job measured, whose client named a commit. `None` if the answer does not state it.
    fn job_commit(&self, _: &Value, _named: &CommitHash) -> Option<CommitHash> {
        None
    }

    /// Returns the URL of the whole diff and its media type, if the forge has it.
    fn diff_url(&self, _: &Url, _: Pull<'_>) -> Option<(Url, &'static str)> {
        None
    }

    /// Returns whether the forge certainly refuses the whole diff.
    fn refuses_diff(&self, _: &Ends) -> bool {
        false
    }

    /// Returns whether the forge refused the whole diff because of its size.
    fn found_too_large(&self, _: &Answer) -> bool {
        false
    }

    /// Returns the URL of a page of `rows` changed files, if the forge has such pages. Pages are counted from 1.
    fn files_url(&self, _: &Url, _: Pull<'_>, _rows: u64, _page: u32) -> Option<Url> {
        None
    }

    /// Returns the most rows of such a page.
    fn most_rows(&self) -> u64 {
        FEW_ROWS
    }

    /// Reads the rows of such a page. `None` if the answer is not understood.
    fn rows(&self, _: &[u8]) -> Option<Vec<Row>> {
        None
    }
}

/// The number of rows of a page for which forges rarely omit lines.
pub(crate) const FEW_ROWS: u64 = 30;

/// Reads the full identifier of a commit. It becomes part of an address.
pub(crate) fn commit(value: Option<&Value>) -> Option<CommitHash> {
    let text = value?.as_str().filter(|text| is_full_hash(text))?;
    text.to_ascii_lowercase().parse().ok()
}
