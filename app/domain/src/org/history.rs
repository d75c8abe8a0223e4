//! What is known of an organisation: the values of its repositories, day by day.

use super::{Day, Interval, Mean, Period, share::is_weighable};
use crate::{BranchName, Count, Language, OrgName, Percentage, Repository, Timestamp};

/// The last value of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The day.
    pub day: Day,
    /// The coverage.
    pub percentage: Percentage,
    /// Covered and total lines, where the report counts them.
    pub lines: Option<Count>,
}

/// The main branch of a repository in one language. A value holds until the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgSeries {
    /// The repository.
    pub repository: Repository,
    /// Its main branch.
    pub branch: BranchName,
    /// The language.
    pub language: Language,
    /// The day of its first record, be it before the period.
    pub first: Day,
    /// The day on which its branch was retired; it has no value from then on.
    pub ended: Option<Day>,
    /// Its values, oldest first: the last one that was there when the period began, then those within it, one for each
    /// interval at most. Before one without a count of lines stands the last one that has it.
    pub steps: Vec<Step>,
}

/// An organisation in a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgHistory {
    /// The organisation.
    pub org: OrgName,
    /// When it was put together.
    pub now: Timestamp,
    /// The day of its first record.
    pub first: Day,
    /// The period; none where it ends before the first record.
    pub period: Option<Period>,
    /// The days from point to point.
    pub interval: Interval,
    /// Its repositories, those of nested groups included, in any order.
    pub series: Vec<OrgSeries>,
    /// Whether there are more than were read.
    pub is_cut: bool,
}

impl OrgSeries {
    /// The value at the end of `day`, of those that `mean` can use: where lines are what weighs, a report without a count
    /// of lines leaves the one before it in force.
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
