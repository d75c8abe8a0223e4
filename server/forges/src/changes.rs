//! What a pull request changes, as its forge says: for an upload whose job did not send it.
//!
//! The diff of a forge is between the merge base and the head. Its line numbers fit the upload only if that tree was measured, not
//! the merge of the pull request with its target. So the trees are compared, also where the commit is that of the head: a job can
//! state it and measure the merge.

mod calls;
mod files;
mod tree;
mod why;

use crate::{
    Api,
    forge::{Ends, Pull, TreePage},
};
use ::lines::Changes;
use calls::Calls;
use domain::{CommitHash, PullRequest, Repository, TreeHash, text::chain};
use files::LAST;
use why::Why;

/// What an upload says about its pull request.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Its number.
    pub number: &'a PullRequest,
    /// The tree that was measured.
    pub tree: Option<&'a TreeHash>,
    /// What the changes must start from, if the job says so.
    pub base: Option<NamedBase<'a>>,
    /// The most bytes of all answers.
    pub max_bytes: usize,
}

/// How a job names what the changes start from.
#[derive(Clone, Copy, Debug)]
pub enum NamedBase<'a> {
    /// Its commit.
    Commit(&'a CommitHash),
    /// Only its tree, which no forge states.
    Tree,
}

/// What a forge says that a pull request changes.
#[derive(Debug)]
pub struct Stated {
    /// The changes; none if none are known.
    pub changes: Option<Changes>,
    /// What they start from, if that is known.
    pub base_commit: Option<CommitHash>,
    /// How many files are missing in the changes, and why, in one sentence; the number is none without changes.
    pub unknown: Option<(Option<u64>, String)>,
}

impl Api {
    /// Asks what a pull request changes. A failure is not one of the upload: then it is unknown.
    pub(super) async fn changes(
        &self,
        token: &str,
        repository: &Repository,
        wanted: Wanted<'_>,
    ) -> Stated {
        let pull = Pull {
            repository,
            number: wanted.number,
        };
        let mut calls = Calls::new(self, token, wanted.max_bytes);
        let sentence = |why: &Why| {
            if let Why::Failed(error) = why {
                let cause = chain(error);
                tracing::warn!(api = ?self, cause, "a forge did not say what a pull request changes");
            }
            why.sentence(self.forge, pull)
        };
        match known(&mut calls, pull, wanted).await {
            Ok((changes, base_commit, unknown)) => Stated {
                changes: Some(changes),
                base_commit,
                unknown: unknown.map(|(files, why)| (Some(files), sentence(&why))),
            },
            Err(why) => Stated {
                changes: None,
                base_commit: None,
                unknown: Some((None, sentence(&why))),
            },
        }
    }
}

type Known = (Changes, Option<CommitHash>, Option<(u64, Why)>);

async fn known(calls: &mut Calls<'_>, pull: Pull<'_>, wanted: Wanted<'_>) -> Result<Known, Why> {
    let measured = wanted.tree.ok_or(Why::NoTree)?;
    if matches!(wanted.base, Some(NamedBase::Tree)) {
        return Err(Why::OtherBase);
    }
    let ends = ends(calls, pull).await?;
    let head = tree(calls, pull, &ends.head).await?;
    if !head.eq_ignore_ascii_case(measured.as_str()) {
        return Err(Why::OtherTree);
    }
    let mut base_commit = ends.merge_base.clone();
    if let Some(NamedBase::Commit(named)) = wanted.base {
        if base_commit.is_none() {
            base_commit = merge_base(calls, pull, &ends).await?;
        }
        if !base_commit.as_ref().is_some_and(|base| names(named, base)) {
            return Err(Why::OtherBase);
        }
    }
    let files = files::ask(calls, pull, &ends).await?;
    let (changes, unknown) = files.finish()?;
    if base_commit.is_none() && calls.left(LAST) > 0 {
        // Without it, the changes are still those of the pull request.
        base_commit = merge_base(calls, pull, &ends).await.ok().flatten();
    }
    match self::ends(calls, pull).await?.are(&ends) {
        true => Ok((changes, base_commit, unknown)),
        false => Err(Why::Moved),
    }
}

async fn ends(calls: &mut Calls<'_>, pull: Pull<'_>) -> Result<Ends, Why> {
    let api = calls.api;
    let url = api.forge.pull_url(&api.listed.url, pull);
    let body = calls.json(url).await?;
    api.forge.ends(&body).ok_or(Why::Strange)
}

/// The most pages of a root folder.
const TREE_PAGES: u32 = 3;

/// Returns the tree of a commit.
async fn tree(calls: &mut Calls<'_>, pull: Pull<'_>, commit: &CommitHash) -> Result<String, Why> {
    let api = calls.api;
    let mut entries = Vec::new();
    for page in 1..=TREE_PAGES {
        let url = api
            .forge
            .tree_url(&api.listed.url, pull.repository, commit, page);
        let body = calls.json(url).await?;
        match api.forge.tree(&body).ok_or(Why::Strange)? {
            TreePage::Hash(tree) => return Ok(tree),
            TreePage::Entries(more, has_more) => {
                entries.extend(more);
                if !has_more {
                    return tree::hash(entries).ok_or(Why::Strange);
                }
            }
        }
    }
    Err(Why::LargeRoot)
}

async fn merge_base(
    calls: &mut Calls<'_>,
    pull: Pull<'_>,
    ends: &Ends,
) -> Result<Option<CommitHash>, Why> {
    let api = calls.api;
    let url = api
        .forge
        .merge_base_url(&api.listed.url, pull.repository, ends);
    match url {
        Some(url) => Ok(api.forge.merge_base(&calls.json(url).await?)),
        None => Ok(None),
    }
}

/// The fewest digits of a short identifier of a commit.
const SHORT: usize = 7;

/// Whether a job means this commit.
fn names(named: &CommitHash, commit: &CommitHash) -> bool {
    let (named, commit) = (named.as_str(), commit.as_str());
    let start = commit.get(..named.len());
    named.len() >= SHORT && start.is_some_and(|start| start.eq_ignore_ascii_case(named))
}
