//! A record as one side of a comparison.

use super::Counted;
use crate::{
    BranchName, Change, CommitAuthor, CommitHash, Count, Language, Percentage, Repository,
    Timestamp,
};

/// A record with what a comparison and its own page show.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct ComparedRecord {
    /// Its identifier.
    pub id: i64,
    /// Its repository.
    #[cfg_attr(feature = "sql", sqlx(flatten))]
    pub repository: Repository,
    /// The forge of the repository, such as `github.com`, if an upload named it.
    pub forge: Option<String>,
    /// Its branch.
    #[cfg_attr(feature = "sql", sqlx(rename = "branch_name"))]
    pub branch: BranchName,
    /// Its language.
    pub language: Language,
    /// The commit that was measured.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_hash"))]
    pub commit: CommitHash,
    /// Who made the commit.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_author"))]
    pub author: CommitAuthor,
    /// Total line coverage.
    #[cfg_attr(feature = "sql", sqlx(rename = "percentage_basis_points"))]
    pub percentage: Percentage,
    /// All counters, lines first.
    #[cfg_attr(feature = "sql", sqlx(skip))]
    pub counts: Vec<Counted>,
    /// The format of the coverage file, as a short lower-case name.
    pub report_format: String,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// Whether its HTML report is stored.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub has_report: bool,
}

/// One counter on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedTwice {
    /// In lower case and singular: `line`, `branch`, `function`.
    pub counter: String,
    /// Its count in the base; `None` if the base does not have it.
    pub base: Option<Count>,
    /// Its count in the head; `None` if the head does not have it.
    pub head: Option<Count>,
}

impl ComparedRecord {
    /// The change from `self` to `head`.
    pub fn change_to(&self, head: &Self) -> Change {
        Change::between(self.percentage, head.percentage)
    }

    /// Counters of either record, in the order of `head`.
    pub fn counts_of_both(&self, head: &Self) -> Vec<CountedTwice> {
        let of = |counts: &[Counted], counter: &str| {
            let found = counts.iter().find(|counted| counted.counter == counter);
            found.map(|counted| counted.count)
        };
        let only_here = self
            .counts
            .iter()
            .filter(|counted| of(&head.counts, &counted.counter).is_none());
        let counters = head.counts.iter().chain(only_here);
        counters
            .map(|counted| CountedTwice {
                counter: counted.counter.clone(),
                base: of(&self.counts, &counted.counter),
                head: of(&head.counts, &counted.counter),
            })
            .collect()
    }
}
