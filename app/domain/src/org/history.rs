//! The stored history of an org: the values of its repositories, day by day.

use super::{Interval, Mean, Period, share::is_weighable};
use crate::{BranchName, Count, Day, Language, OrgName, Percentage, Repository, Timestamp};

/// The main branch of a repository in one language. A value holds until the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgSeries {
    /// The repository.
    pub repository: Repository,
    /// Its main branch.
    pub branch: BranchName,
    /// The language.
    pub language: Language,
    /// The day of its first record, even if it is before the period.
    pub first: Day,
    /// The day on which its branch was retired; from that day on it has no value.
    pub ended: Option<Day>,
    /// Its values, oldest first: the last value before the period, then at most one value for each interval in it. A value
    /// without line counts follows the last value that has them.
    pub steps: Vec<Step>,
}

/// An org, or all orgs, in a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgHistory {
    /// The org; `None` for all orgs.
    pub org: Option<OrgName>,
    /// When the page was built.
    pub now: Timestamp,
    /// The day of its first record.
    pub first: Day,
    /// The period; `None` if it ends before the first record.
    pub period: Option<Period>,
    /// The distance between points.
    pub interval: Interval,
    /// Its repositories, including the repositories of nested groups, in any order.
    pub series: Vec<OrgSeries>,
    /// Whether more repositories exist than were read.
    pub is_cut: bool,
}

/// The last value of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The day.
    pub day: Day,
    /// The coverage.
    pub percentage: Percentage,
    /// Covered and total lines, if the coverage file counts them.
    pub lines: Option<Count>,
}

impl OrgSeries {
    /// Returns the value at the end of `day` that `mean` can use: in a mean weighted by lines, a value without line counts
    /// is skipped and the previous value stays valid.
    pub(super) fn at(&self, day: Day, mean: Mean) -> Option<&Step> {
        if self.ended.is_some_and(|ended| ended <= day) {
            return None;
        }
        let until = self.steps.partition_point(|step| step.day <= day);
        self.steps
            .get(..until)?
            .iter()
            .rev()
            .find(|step| mean == Mean::Plain || step.lines.is_some_and(is_weighable))
    }
}
