//! The numbers of an org's page for a period: pure arithmetic on its history.

mod daily;
mod group;
mod member;
mod movement;

use super::{
    Interval, KeptRepositories, LinesChange, Mean, OrgHistory, OrgQuery, Period, share::Share,
};
use crate::{Change, Count, Day, OrgName, Percentage};
use group::{groups, parent};
use member::{Member, current, left_out, lines, members, share};
use movement::{is_stale, last, movements};

use std::ops::Add;

pub use daily::EveryDay;
pub use group::{GroupRow, RepositoryCounts};
pub use member::{LeftOut, Reason};
pub use movement::{Movement, State};

/// The org on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrgPoint {
    /// The day.
    pub day: Day,
    /// The org's coverage; `None` while no counted repository has a value.
    pub coverage: Option<Percentage>,
    /// Covered and total lines of the counted repositories, or what the metric counts, if known.
    pub lines: Option<Count>,
    /// The number of repositories in it.
    pub repositories: u32,
}

/// An org in a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgReport {
    /// The period.
    pub period: Period,
    /// The distance between points.
    pub interval: Interval,
    /// The trend, oldest first.
    pub points: Vec<OrgPoint>,
    /// The org with all its repositories: its coverage, as every page states it.
    pub whole: OrgPoint,
    /// From start to end; `None` if there is nothing to compare with.
    pub change: Option<Change>,
    /// The number of repositories that count in at least one language.
    pub counted: u32,
    /// The repositories, counted or not.
    pub counts: RepositoryCounts,
    /// The number of repositories whose coverage files lack the counts in at least one language.
    pub without_counts: u32,
    /// The number of counted repositories that were stale at the end; their last values still count.
    pub stale: u32,
    /// What does not count, sorted by name.
    pub left_out: Vec<LeftOut>,
    /// All repositories of the series of the history, sorted by state, then by their part, the largest first.
    pub movements: Vec<Movement>,
    /// The org whose groups follow; `None` for all orgs.
    pub parent: Option<OrgName>,
    /// The groups directly within `parent`, sorted by name; or all orgs.
    pub groups: Vec<GroupRow>,
}

impl OrgPoint {
    /// Gives points with numbers of repositories the sums of changes until their days. Both are in the order of their days.
    pub fn sum_up(points: &mut [Self], changes: impl IntoIterator<Item = LinesChange>) {
        let mut changes = changes.into_iter().peekable();
        let (mut covered, mut total) = (0_i64, 0_i64);
        for point in points {
            while let Some(change) = changes.next_if(|change| change.day <= point.day) {
                covered += change.covered;
                total += change.total;
            }
            let counts = u64::try_from(covered).ok().zip(u64::try_from(total).ok());
            let lines = counts.map(|(covered, total)| Count { covered, total });
            point.lines = lines.filter(|_| point.repositories > 0);
            point.coverage = point.lines.and_then(Percentage::of);
        }
    }
}

impl OrgReport {
    /// Computes the report of `history` for `query`; `None` if the period ends before the first record. The rows of groups
    /// count the repositories that have at least `target`, as the sums of the history do.
    pub fn of(history: &OrgHistory, query: &OrgQuery, target: Percentage) -> Option<Self> {
        let (period, mean) = (history.period?, query.mean);
        let members = members(&history.series, period, query);
        let days = period.points(history.interval);
        let mut points: Vec<_> = days
            .iter()
            .map(|day| point(members.iter(), *day, mean))
            .collect();
        let kept: KeptRepositories = history.kept().map(|(_, kept)| *kept).sum();
        if let Some(sums) = &history.sums {
            let changes = sums.changes.iter().map(|(_, change)| *change);
            add_sums(&mut points, kept, changes);
        }
        let change = change(&points);
        let mut movements = movements(&members, period, mean, change);
        if history.sums.is_some() {
            for movement in &mut movements {
                (movement.start, movement.change, movement.contribution) = (None, None, None);
            }
        }
        let counting = members.iter().filter(|member| !member.counted.is_empty());
        let is_without_counts = |member: &&Member| {
            let mut reasons = member.left_out.iter().map(|(_, reason)| reason);
            reasons.any(|reason| *reason == Reason::NoCounts)
        };
        let parent = parent(history, &members);
        Some(Self {
            period,
            interval: history.interval,
            whole: whole(members.iter(), kept, period.to, mean),
            change,
            counted: kept.repositories + number(counting.clone().count()),
            counts: RepositoryCounts::of(movements.iter(), kept, target),
            without_counts: number(members.iter().filter(is_without_counts).count()),
            stale: kept.stale
                + number(
                    counting
                        .filter(|member| is_stale(last(&member.counted, period.to), period.to))
                        .count(),
                ),
            left_out: members.iter().flat_map(left_out).collect(),
            groups: groups(
                parent.as_ref(),
                &members,
                &movements,
                (&days, mean, target),
                history,
            ),
            parent,
            movements,
            points,
        })
    }

    /// The org at the end of the period, with the repositories that count.
    pub fn last(&self) -> Option<&OrgPoint> {
        self.points.last()
    }
}

/// From the first to the last point; `None` if there is nothing to compare with.
fn change(points: &[OrgPoint]) -> Option<Change> {
    let (first, last) = points.first().zip(points.last())?;
    let (start, end) = first.coverage.zip(last.coverage)?;
    (first.day < last.day).then(|| Change::between(start, end))
}

/// The coverage of an org at the end of a day: of the current records of the main branches of all its repositories, in every
/// language. The overview computes the same in SQL (`org_summaries`).
fn whole<'a>(
    members: impl Iterator<Item = &'a Member<'a>> + Clone,
    kept: KeptRepositories,
    day: Day,
    mean: Mean,
) -> OrgPoint {
    let shares = |mean| {
        members
            .clone()
            .filter_map(move |one| current(one, day, mean))
    };
    let kept_share = (kept.repositories > 0).then(|| Share::of_lines(kept.lines));
    let sum = shares(mean).chain(kept_share);
    OrgPoint {
        day,
        coverage: sum.fold(Share::default(), Share::add).percentage(),
        lines: shares(Mean::Weighted)
            .chain(kept_share)
            .reduce(Share::add)
            .map(Share::lines),
        repositories: kept.repositories + number(shares(mean).count()),
    }
}

/// Adds the repositories of sums to points, and gives the points the sums of changes.
fn add_sums(
    points: &mut [OrgPoint],
    kept: KeptRepositories,
    changes: impl IntoIterator<Item = LinesChange>,
) {
    for point in &mut *points {
        point.repositories += kept.repositories;
    }
    OrgPoint::sum_up(points, changes);
}

fn point<'a>(
    members: impl Iterator<Item = &'a Member<'a>> + Clone,
    day: Day,
    mean: Mean,
) -> OrgPoint {
    let (mut sum, mut repositories) = (Share::default(), 0);
    for share in members
        .clone()
        .filter_map(|member| share(&member.counted, day, mean))
    {
        sum += share;
        repositories += 1;
    }
    OrgPoint {
        day,
        coverage: sum.percentage(),
        lines: lines(members.map(|member| &*member.counted), day),
        repositories,
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
