//! The changes of a pull request according to its forge, for an upload whose job did not send them.
//!
//! A forge's diff is between the merge base and the head. Its line numbers are right only if the tree of the head was measured,
//! not the merge of the pull request with its target. So the trees are compared even if the commit of the upload is the head: a
//! job can send the head's commit and measure the merge.

mod calls;
mod files;
mod tree;
mod why;

use crate::{
    Api, StatedJob,
    forge::{Ends, Pull, TreePage, is_full_hash},
};
use ::lines::{Changes, TooLarge};
use calls::Calls;
use domain::{CommitHash, PullRequest, Repository, TreeHash, text::chain};
use files::LAST;
use serde_json::Value;
use store::ForgeChanges;
use tokio::task;
use why::Why;

/// What an upload states about its pull request.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// The number of the pull request.
    pub number: &'a PullRequest,
    /// The tree that was measured.
    pub tree: Option<&'a TreeHash>,
    /// The commit that was measured, for a job that does not state its tree.
    pub measured_commit: Option<&'a CommitHash>,
    /// The commit that the changes start from, if the job states it.
    pub base_commit: Option<&'a CommitHash>,
    /// Whether the job states the tree that the changes start from. No forge returns trees of bases.
    pub has_base_tree: bool,
    /// The commit of a job that measured this commit or its merge with the target branch, and does not say which.
    pub head_or_merge: Option<&'a CommitHash>,
    /// That job, if its client states it.
    pub job: Option<StatedJob<'a>>,
    /// The most bytes of all answers together.
    pub max_bytes: usize,
}

impl Api {
    /// Fetches the changes of a pull request. A failure does not fail the upload: the changes are unknown.
    pub(super) async fn changes(
        &self,
        token: &str,
        repository: &Repository,
        wanted: Wanted<'_>,
    ) -> ForgeChanges {
        let pull = Pull {
            repository,
            number: wanted.number,
        };
        let mut calls = Calls::new(self, token, wanted.max_bytes);
        let sentence = |why: &Why| {
            if let Why::Failed(error) = why {
                let cause = chain(error);
                tracing::warn!(api = ?self, cause, "a forge did not return the changes of a pull request");
            }
            why.sentence(self.forge, pull)
        };
        let (changes, base_commit, unknown) = match known(&mut calls, pull, wanted).await {
            Ok(known) => known,
            Err(why) => return no_changes(sentence(&why)),
        };
        let unknown = unknown.map(|(files, why)| (files, sentence(&why)));
        let (unknown_files, unknown_reason) = unknown.unzip();
        match task::spawn_blocking(move || changes.encode()).await {
            Ok(Ok(changes)) => ForgeChanges {
                changes: Some(changes),
                base_commit,
                unknown_files,
                unknown_reason,
            },
            Ok(Err(TooLarge)) => no_changes("there are too many changes.".to_owned()),
            Err(error) => {
                tracing::error!(cause = chain(&error), "changes were not encoded");
                no_changes("the service failed; upload again.".to_owned())
            }
        }
    }
}

fn no_changes(reason: String) -> ForgeChanges {
    ForgeChanges {
        changes: None,
        base_commit: None,
        unknown_files: None,
        unknown_reason: Some(reason),
    }
}

type Known = (Changes, Option<CommitHash>, Option<(u64, Why)>);

async fn known(calls: &mut Calls<'_>, pull: Pull<'_>, wanted: Wanted<'_>) -> Result<Known, Why> {
    // It becomes part of an address.
    let measured = wanted
        .measured_commit
        .filter(|commit| is_full_hash(commit.as_str()));
    if wanted.tree.is_none() && measured.or(wanted.head_or_merge).is_none() {
        return Err(Why::NoTree);
    }
    if wanted.base_commit.is_none() && wanted.has_base_tree {
        return Err(Why::OtherBase);
    }
    let ends = ends(calls, pull).await?;
    let is_head = match (wanted.tree, measured) {
        (Some(stated), _) => {
            let head = tree(calls, pull, &ends.head).await?;
            head.eq_ignore_ascii_case(&stated.to_string())
        }
        (None, Some(commit)) => has_tree_of_head(calls, pull, &ends, commit).await?,
        (None, None) => {
            let commit = commit_of_job(calls, pull, &ends, wanted).await?;
            has_tree_of_head(calls, pull, &ends, &commit).await?
        }
    };
    if !is_head {
        return Err(Why::OtherTree);
    }
    let mut base_commit = ends.merge_base.clone();
    if let Some(named) = wanted.base_commit {
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
        // Optional: the changes are right without it.
        base_commit = merge_base(calls, pull, &ends).await.ok().flatten();
    }
    match self::ends(calls, pull).await?.are(&ends) {
        true => Ok((changes, base_commit, unknown)),
        false => Err(Why::Moved),
    }
}

/// The commit that was measured by a job that does not state it: the client names the head, also if it measured the merge.
async fn commit_of_job(
    calls: &mut Calls<'_>,
    pull: Pull<'_>,
    ends: &Ends,
    wanted: Wanted<'_>,
) -> Result<CommitHash, Why> {
    let named = wanted.head_or_merge.ok_or(Why::NoTree)?;
    if let Some(merge) = &ends.merge {
        // The forge makes the merge again when the target branch moves. If the last one has the tree of the head, all before had
        // it.
        return match names(named, &ends.head) {
            true => Ok(merge.clone()),
            false => Err(Why::UnknownJob),
        };
    }
    let (forge, api) = (calls.api.forge, &calls.api.listed.url);
    let stated = wanted.job.ok_or(Why::UnknownJob)?;
    let url = forge.job_url(api, pull.repository, stated.job);
    calls.permit_one();
    match calls.json(url.ok_or(Why::UnknownJob)?).await {
        Ok(job) if !stated.is_at(page_of(&job)) => Err(Why::UnknownJob),
        Ok(job) => forge.job_commit(&job, named).ok_or(Why::UnknownJob),
        Err(Why::Withheld) => Err(Why::UnknownJob),
        Err(why) => Err(why),
    }
}

/// The address of a job according to its forge. GitLab names it `web_url`, Gitea and Forgejo `html_url`.
fn page_of(job: &Value) -> Option<&str> {
    let members = ["web_url", "html_url"].into_iter();
    members.filter_map(|name| job.get(name)?.as_str()).next()
}

async fn has_tree_of_head(
    calls: &mut Calls<'_>,
    pull: Pull<'_>,
    ends: &Ends,
    commit: &CommitHash,
) -> Result<bool, Why> {
    if *commit == ends.head {
        return Ok(true);
    }
    calls.permit_one();
    let head = tree(calls, pull, &ends.head).await?;
    Ok(head.eq_ignore_ascii_case(&tree(calls, pull, commit).await?))
}

async fn ends(calls: &mut Calls<'_>, pull: Pull<'_>) -> Result<Ends, Why> {
    let api = calls.api;
    let url = api.forge.pull_url(&api.listed.url, pull);
    let body = calls.json(url).await?;
    api.forge.ends(&body).ok_or(Why::Strange)
}

/// The most pages of a root folder.
const TREE_PAGES: u32 = 3;

async fn tree(calls: &mut Calls<'_>, pull: Pull<'_>, commit: &CommitHash) -> Result<String, Why> {
    let api = calls.api;
    let mut entries = Vec::new();
    for page in 1..=TREE_PAGES {
        let (url, repository) = (&api.listed.url, pull.repository);
        let url = api.forge.tree_url(url, repository, commit, page);
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
    let (forge, url) = (calls.api.forge, &calls.api.listed.url);
    match forge.merge_base_url(url, pull.repository, ends) {
        Some(url) => Ok(forge.merge_base(&calls.json(url).await?)),
        None => Ok(None),
    }
}

/// The fewest digits of a short identifier of a commit.
const SHORT: usize = 7;

/// Returns whether `named`, which may be a short identifier, means this commit.
fn names(named: &CommitHash, commit: &CommitHash) -> bool {
    let (named, commit) = (named.as_str(), commit.as_str());
    let start = commit.get(..named.len());
    named.len() >= SHORT && start.is_some_and(|start| start.eq_ignore_ascii_case(named))
}
