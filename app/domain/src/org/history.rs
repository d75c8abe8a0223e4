//! The stored history of an org: the values of its repositories, one for each interval of a period.

use super::{Interval, Mean, Period, share::is_weighable};
use crate::{
    BranchName, Count, Day, Language, NewCount, OrgName, Percentage, Repository, Timestamp,
};
use std::iter::Sum;

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
    /// The values, oldest first: the last value before the end of the first day of the period, then the last value of each later
    /// interval. If such a value has no counts of the metric, the last earlier value with counts is also in the list.
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
    /// The new code at `now`; it does not depend on `period`. `None` if no repository was counted today or yesterday.
    pub new_code: Option<OrgNewCode>,
    /// With them, only the days of the steps of a series are known, and the values of the last one.
    pub sums: Option<OrgSums>,
}

/// Sums over each org without its groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgSums {
    /// The changes of the lines, oldest first, for the points of the period.
    pub changes: Vec<(OrgName, LinesChange)>,
    /// The repositories that are not in `series`. Every org with repositories has an item.
    pub kept: Vec<(OrgName, KeptRepositories)>,
}

/// Repositories whose languages all have a count of lines on each day of a period, the last one from their current records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptRepositories {
    /// Their number.
    pub repositories: u32,
    /// Their lines at the end.
    pub lines: Count,
    /// The number of those that have at least the target at the end.
    pub on_target: u32,
    /// The number of those that were stale at the end.
    pub stale: u32,
}

impl Sum for KeptRepositories {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            repositories: sum.repositories + one.repositories,
            lines: sum.lines.plus(one.lines),
            on_target: sum.on_target + one.on_target,
            stale: sum.stale + one.stale,
        })
    }
}

impl OrgHistory {
    /// The orgs of all repositories, some of them several times.
    pub fn orgs(&self) -> impl Iterator<Item = &OrgName> {
        let of_series = self.series.iter().map(|one| &one.repository.org);
        of_series.chain(self.kept().map(|(org, _)| org))
    }

    /// The repositories of each org that are only in the sums.
    pub(super) fn kept(&self) -> impl Iterator<Item = &(OrgName, KeptRepositories)> + Clone {
        self.sums.iter().flat_map(|sums| &sums.kept)
    }
}

/// The change of the lines that count, since the point before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinesChange {
    /// The day of the point.
    pub day: Day,
    /// The change of the covered lines.
    pub covered: i64,
    /// The change of all lines.
    pub total: i64,
}

/// The new code of an org: of each repository whose new code was counted today or yesterday in all of its languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrgNewCode {
    /// The sum of their new lines.
    pub new: NewCount,
    /// The number of these repositories.
    pub counted: u32,
    /// The number of all repositories with a current record.
    pub repositories: u32,
    /// The day on which the oldest of these counts was made.
    pub day: Day,
}

/// The value of the last record of an interval. If that record has no counts, the value of the last earlier record with counts is
/// another step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The day.
    pub day: Day,
    /// The coverage; `None` if the coverage file does not count what the metric counts.
    pub percentage: Option<Percentage>,
    /// The counts of the metric: of lines, branches or functions; `None` if the coverage file does not count them.
    pub lines: Option<Count>,
}

impl OrgSeries {
    /// Returns the value at the end of `day` that `mean` can use: in a mean weighted by counts, a value without such counts
    /// is skipped and the previous value stays valid.
    pub(super) fn at(&self, day: Day, mean: Mean) -> Option<&Step> {
        self.last(day, |step| match mean {
            Mean::Plain => step.percentage.is_some(),
            Mean::Weighted => step.lines.is_some_and(is_weighable),
        })
    }

    /// Returns the value of its last record at the end of `day`, with counts of the metric or without.
    pub(super) fn current(&self, day: Day) -> Option<&Step> {
        self.last(day, |_| true)
    }

    fn last(&self, day: Day, is_usable: impl Fn(&Step) -> bool) -> Option<&Step> {
        if self.ended.is_some_and(|ended| ended <= day) {
            return None;
        }
        let until = self.steps.partition_point(|step| step.day <= day);
        self.steps
            .get(..until)?
            .iter()
            .rev()
            .find(|step| is_usable(step))
    }
}
