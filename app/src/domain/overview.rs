//! What the overview page shows.

use super::{BranchName, Change, Count, Language, OrgName, Percentage, Repository, Timestamp};
use serde::{Deserialize, Serialize};

/// What a visitor of the overview asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverviewQuery {
    /// A case-insensitive part of `org/repo`; empty for all.
    pub keyword: String,
    /// The page, counted from 1.
    pub page: u32,
}

/// One page of repositories, grouped by organisation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    /// When it was put together; ages are relative to it.
    pub now: Timestamp,
    /// What was asked for, with the page that is shown.
    pub query: OverviewQuery,
    /// How many repositories match on all pages.
    pub matching: u32,
    /// How many pages there are; at least 1.
    pub pages: u32,
    /// Whether no record was ever uploaded.
    pub is_new: bool,
    /// The organisations of this page, by name.
    pub orgs: Vec<OrgGroup>,
}

/// The repositories of one organisation that stand on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrgGroup {
    /// The organisation.
    pub org: OrgName,
    /// Its repositories, by name.
    pub rows: Vec<RepositoryRow>,
}

/// The current record of a repository's main branch in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryRow {
    /// The repository.
    pub repository: Repository,
    /// Its main branch, or what comes closest to one.
    pub branch: BranchName,
    /// The language of the record.
    pub language: Language,
    /// Its coverage.
    pub percentage: Percentage,
    /// Covered and total lines, where the report counts them.
    pub lines: Option<Count>,
    /// The change since the record before it.
    pub change: Option<Change>,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// The record.
    pub record_id: i64,
    /// Whether HTML was uploaded with it.
    pub has_report: bool,
}
