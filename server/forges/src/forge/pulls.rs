//! What differs between the kinds of forges when they say what a pull request changes.

use super::address::is_full_hash;
use crate::outbound::Answer;
use domain::{CommitHash, PullRequest, Repository};
use reqwest::Url;
use serde_json::Value;

/// A pull request of a repository.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull<'a> {
    pub(crate) repository: &'a Repository,
    pub(crate) number: &'a PullRequest,
}

/// What the diff of a pull request is between, and how large it is.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    pub(crate) head: CommitHash,
    /// The commit of the target branch that the forge compares with.
    pub(crate) base: Option<CommitHash>,
    /// Where the diff starts, if the forge says so here.
    pub(crate) merge_base: Option<CommitHash>,
    /// Changed files; on GitLab this may be fewer than there are.
    pub(crate) files: Option<u64>,
    /// Added and removed lines.
    pub(crate) lines: Option<u64>,
}

impl Ends {
    /// Whether the diff between them is the same.
    pub(crate) fn are(&self, other: &Self) -> bool {
        (&self.head, &self.base, &self.merge_base) == (&other.head, &other.base, &other.merge_base)
    }
}

/// A page of what says which tree a commit has.
#[derive(Debug)]
pub(crate) enum TreePage {
    /// The tree itself.
    Hash(String),
    /// Entries of the root folder, and whether there are more.
    Entries(Vec<Entry>, bool),
}

/// The entry of a folder.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Octal digits, possibly with zeros in front.
    pub(crate) mode: String,
    /// The identifier of its blob, tree or commit.
    pub(crate) id: String,
}

impl Entry {
    fn is_tree(&self) -> bool {
        self.mode.trim_start_matches('0') == "40000"
    }

    /// Git sorts folders as if their names ended with a slash.
    pub(crate) fn order(&self) -> impl Iterator<Item = u8> {
        let end = self.is_tree().then_some(b'/');
        self.name.bytes().chain(end)
    }
}

/// A changed file, as one row of an answer.
#[derive(Debug)]
pub(crate) struct Row {
    /// Its path in the base; none if it was added.
    pub(crate) old_path: Option<String>,
    /// Its path in the head; none if it was deleted.
    pub(crate) path: Option<String>,
    pub(crate) lines: RowLines,
}

/// The changed lines of a row.
#[derive(Debug)]
pub(crate) enum RowLines {
    /// Hunks with their lines, and how many lines were added and removed, if the forge counts them.
    Hunks(String, Option<(u64, u64)>),
    /// No line changed.
    None,
    /// The forge left them out.
    LeftOut,
    /// It is a submodule, which has no lines.
    Submodule,
}

/// A kind of forge that has pull requests.
pub(crate) trait Pulls {
    /// Returns the URL of a pull request.
    fn pull_url(&self, api: &Url, pull: Pull<'_>) -> Url;

    /// Returns what the answer says; `None` if it is not understood.
    fn ends(&self, body: &Value) -> Option<Ends>;

    /// Returns the URL that says which tree a commit has. Pages are counted from 1.
    fn tree_url(&self, api: &Url, repository: &Repository, commit: &CommitHash, page: u32) -> Url;

    /// Returns what the answer says; `None` if it is not understood.
    fn tree(&self, body: &Value) -> Option<TreePage>;

    /// Returns the URL that says where the diff starts, if the pull request does not.
    fn merge_base_url(&self, _: &Url, _: &Repository, _: &Ends) -> Option<Url> {
        None
    }

    /// Returns what the answer says; `None` if it is not understood.
    fn merge_base(&self, _: &Value) -> Option<CommitHash> {
        None
    }

    /// Returns the URL of the whole diff, and the media type to accept, if the forge has it.
    fn diff_url(&self, _: &Url, _: Pull<'_>) -> Option<(Url, &'static str)> {
        None
    }

    /// Whether the forge certainly refuses the whole diff.
    fn refuses_diff(&self, _: &Ends) -> bool {
        false
    }

    /// Whether the forge refused the whole diff because it is too large.
    fn found_too_large(&self, _: &Answer) -> bool {
        false
    }

    /// Returns the URL of a page of `rows` changed files, if the forge has them. Pages are counted from 1.
    fn files_url(&self, _: &Url, _: Pull<'_>, _rows: u64, _page: u32) -> Option<Url> {
        None
    }

    /// The most rows of such a page.
    fn most_rows(&self) -> u64 {
        FEW_ROWS
    }

    /// Returns the rows of such an answer; `None` if it is not understood.
    fn rows(&self, _: &[u8]) -> Option<Vec<Row>> {
        None
    }

    /// Whether a refusal means that the rate limit is exceeded.
    fn is_limited(&self, _: &Answer) -> bool {
        false
    }

    /// Returns the permission that a token needs, for people.
    fn right_to_read_pulls(&self) -> &'static str;
}

/// The rows of a page for which forges rarely leave out lines.
pub(crate) const FEW_ROWS: u64 = 30;

/// Reads the full identifier of a commit. It becomes a part of addresses.
pub(crate) fn commit(value: Option<&Value>) -> Option<CommitHash> {
    let text = value?.as_str().filter(|text| is_full_hash(text))?;
    text.to_ascii_lowercase().parse().ok()
}
