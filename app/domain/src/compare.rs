//! What the page that compares two records shows, and how its address names them.

mod record_ref;

pub use record_ref::{RecordRef, RecordRefError};

use super::{
    BranchName, Change, CommitAuthor, CommitHash, Count, Counted, Language, Moved, Percentage,
    Repository, Timestamp,
};

/// Which two records a visitor wants to compare.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompareQuery {
    /// The one to start from; none while it is not chosen.
    pub base: Option<RecordRef>,
    /// The one that is looked at; none while it is not chosen.
    pub head: Option<RecordRef>,
    /// The language of which a branch's record is wanted; the one that was uploaded last where none is named.
    pub language: Option<Language>,
}

/// Two records side by side, and which others there are to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compare {
    /// When it was put together; ages are relative to it.
    pub now: Timestamp,
    /// The one to start from; none where it was not asked for, or is not there.
    pub base: Option<ComparedRecord>,
    /// The one that is looked at; none where it was not asked for, or is not there.
    pub head: Option<ComparedRecord>,
    /// What moved between the two, file by file; none where the files of one of them are not known, or where they count
    /// different things.
    pub moved: Option<Moved>,
    /// Records of the same repository and language: the current ones of its branches first, then earlier ones of the branch
    /// that is looked at.
    pub choices: Vec<RecordChoice>,
}

/// A record as one side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedRecord {
    /// Its identifier.
    pub id: i64,
    /// Its repository.
    pub repository: Repository,
    /// Its branch.
    pub branch: BranchName,
    /// Its language.
    pub language: Language,
    /// The commit that was measured.
    pub commit: CommitHash,
    /// Who made the commit.
    pub author: CommitAuthor,
    /// Total line coverage.
    pub percentage: Percentage,
    /// Everything counted, lines first.
    pub counts: Vec<Counted>,
    /// The report's format, as a short lower-case name.
    pub report_format: String,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// Whether its HTML is there.
    pub has_report: bool,
}

/// A record that may be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordChoice {
    /// Its identifier.
    pub id: i64,
    /// Its branch.
    pub branch: BranchName,
    /// Its commit.
    pub commit: CommitHash,
    /// Its coverage.
    pub percentage: Percentage,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// Whether its branch still stands at it.
    pub is_current: bool,
}

/// What one counter has on either side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedTwice {
    /// In lower case and singular: `line`, `branch`, `function`.
    pub counter: String,
    /// Its count in the base; none where that does not have it.
    pub base: Option<Count>,
    /// Its count in the head; none where that does not have it.
    pub head: Option<Count>,
}

impl CompareQuery {
    /// Two records by their identifiers.
    pub fn between(base: i64, head: i64) -> Self {
        Self {
            base: Some(RecordRef::Id(base)),
            head: Some(RecordRef::Id(head)),
            language: None,
        }
    }
}

impl Compare {
    /// Both sides, once both are chosen.
    pub fn sides(&self) -> Option<(&ComparedRecord, &ComparedRecord)> {
        self.base.as_ref().zip(self.head.as_ref())
    }
}

impl ComparedRecord {
    /// The change from `self` to `head`.
    pub fn change_to(&self, head: &Self) -> Change {
        Change::between(self.percentage, head.percentage)
    }

    /// What either of the two counts, in the order of `head`.
    pub fn counts_beside(&self, head: &Self) -> Vec<CountedTwice> {
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
