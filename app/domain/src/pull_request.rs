//! The data of a pull request's page, and of the list of pull requests.

use crate::{PullRequest, PullRequestRow, RecordDetail, Repository, RunUrl, Timestamp};

/// A pull request, with the results of its newest commit and with its uploads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullRequestDetail {
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The repository, in its stored spelling.
    pub repository: Repository,
    /// The forge of the repository, if an upload named it.
    pub forge: Option<String>,
    /// Its number.
    pub number: PullRequest,
    /// The records of its newest commit, one for each language, failed gates first. Empty if nothing was uploaded for it.
    pub records: Vec<RecordDetail>,
    /// Records of the newest commit in more languages than [`Self::MOST_RECORDS`].
    pub others: Vec<PullRequestRow>,
    /// One page of its records, the newest first.
    pub uploads: Vec<PullRequestRow>,
    /// The number of the page, counted from 1.
    pub page: u32,
    /// Whether there are older uploads.
    pub has_older: bool,
}

impl PullRequestDetail {
    /// The maximum number of languages that are shown in full: each costs as much as the page of a record.
    pub const MOST_RECORDS: usize = 4;

    /// The maximum number of the page of uploads.
    pub const MOST_PAGES: u32 = 1_000;
}

/// A part of the pull requests of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PullRequestList {
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The repository, in its stored spelling.
    pub repository: Repository,
    /// The forge of the repository, if an upload named it.
    pub forge: Option<String>,
    /// The page of the job of the newest pull request, if no upload named the forge.
    pub run_url: Option<RunUrl>,
    /// The newest record of each pull request and language, the newest first.
    pub rows: Vec<PullRequestRow>,
    /// The place of a record in its repository, before which older pull requests may be; `None` at the end.
    pub before: Option<i64>,
}
