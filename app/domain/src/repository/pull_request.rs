//! A pull request of a repository, as its newest record states it.

use crate::{
    BranchName, Change, CommitAuthor, CommitHash, Count, Language, Percentage, PullRequest,
    Timestamp, Verdict,
};

/// The newest record of a pull request in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct PullRequestRow {
    /// Its number on the forge.
    #[cfg_attr(feature = "sql", sqlx(rename = "pull_request"))]
    pub number: PullRequest,
    /// Its branch.
    pub branch: BranchName,
    /// The language.
    pub language: Language,
    /// The commit that was measured.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_hash"))]
    pub commit: CommitHash,
    /// Who made the commit.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_author"))]
    pub author: CommitAuthor,
    /// The record.
    pub record_id: i64,
    /// The coverage of all lines.
    pub percentage: Percentage,
    /// The change since the base record; `None` if there is no base, or if parts are missing and it is lower.
    pub change: Option<Change>,
    /// The coverage of its changed lines; `None` if they are not known.
    #[cfg_attr(feature = "sql", sqlx(flatten, try_from = "crate::sql::LineColumns"))]
    pub changed: Option<Count>,
    /// The verdict of the gate; `None` if no rule is set.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::IfReadable<Verdict>"))]
    pub verdict: Option<Verdict>,
    /// In a list: why the gate failed, by the rules of now and the stored numbers.
    #[cfg_attr(feature = "sql", sqlx(skip))]
    pub reasons: Vec<String>,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
}
