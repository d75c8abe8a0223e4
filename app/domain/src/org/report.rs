//! The numbers of an org's page for a period: pure arithmetic on its history.

use super::{
    Day, Interval, Mean, OrgHistory, OrgQuery, OrgSeries, Over, Period,
    contribution::contributions, share::Share,
};
use crate::{Change, Count, Language, OrgName, Percentage, Repository, STALE_DAYS};
use std::collections::BTreeMap;

/// The org on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrgPoint {
    /// The day.
    pub day: Day,
    /// The org's coverage; none while no counted repository has a value.
    pub coverage: Option<Percentage>,
    /// Covered and total lines of the counted repositories, if known.
    pub lines: Option<Count>,
    /// The number of repositories in it.
    pub repositories: u32,
}

/// The state of a repository within the period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It has a value at both ends.
    Kept,
    /// Its first value is within the period.
    New,
    /// Its branch was retired within the period.
    Gone,
    /// Its coverage files have no line counts, which the weighted mean needs.
    Unweighted,
}

/// A repository from the start to the end of the period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Movement {
    /// The repository.
    pub repository: Repository,
    /// Its state.
    pub state: State,
    /// Its coverage at the start, all languages combined as in the org's number.
    pub start: Option<Percentage>,
    /// Its coverage at the end.
    pub end: Option<Percentage>,
    /// From start to end.
    pub change: Option<Change>,
    /// Its part of the org's change; none if it does not count.
    pub contribution: Option<Change>,
    /// Covered and total lines at the end, if known.
    pub lines: Option<Count>,
    /// The day of its last upload before the end of the period.
    pub last: Option<Day>,
    /// Whether that is at least [`STALE_DAYS`] before the end of the period.
    pub is_stale: bool,
}

/// Why a language of a repository does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its first record is from this day, after the start.
    New(Day),
    /// Its branch was retired on this day.
    Gone(Day),
    /// Its coverage files have no line counts, at least at the start.
    NoLines,
}

/// A language of a repository that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The repository.
    pub repository: Repository,
    /// The language.
    pub language: Language,
    /// Why.
    pub reason: Reason,
}

/// A group within the org, including its own groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRow {
    /// The group.
    pub org: OrgName,
    /// The number of its repositories, counted or not.
    pub repositories: u32,
    /// Its coverage at the end, computed like the org's.
    pub coverage: Option<Percentage>,
    /// From start to end.
    pub change: Option<Change>,
    /// Covered and total lines at the end, if known.
    pub lines: Option<Count>,
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
    /// From start to end; none if there is nothing to compare with.
    pub change: Option<Change>,
    /// The number of repositories that count in at least one language.
    pub counted: u32,
    /// The number of repositories with a value within the period.
    pub repositories: u32,
    /// The number of repositories without line counts in at least one language, in a mean weighted by lines.
    pub without_lines: u32,
    /// The number of counted repositories that were stale at the end; their last values still count.
    pub stale: u32,
    /// What does not count, sorted by name.
    pub left_out: Vec<LeftOut>,
    /// All repositories, sorted by state, then by their part, the largest first.
    pub movements: Vec<Movement>,
    /// The groups directly within the org, sorted by name.
    pub groups: Vec<GroupRow>,
}

/// A repository with its counted and uncounted series.
struct Member<'a> {
    repository: &'a Repository,
    counted: Vec<&'a OrgSeries>,
    left_out: Vec<(&'a OrgSeries, Reason)>,
}

impl OrgReport {
    /// Computes the report of `history` for `query`; none if the period ends before the first record.
    pub fn of(history: &OrgHistory, query: &OrgQuery) -> Option<Self> {
        let (period, mean) = (history.period?, query.mean);
        let members = members(&history.series, period, query);
        let points: Vec<_> = period
            .points(history.interval)
            .into_iter()
            .map(|day| point(&members, day, mean))
            .collect();
        let change = match (points.first()?.coverage, points.last()?.coverage) {
            (Some(start), Some(end)) if period.from < period.to => {
                Some(Change::between(start, end))
            }
            _ => None,
        };
        let movements = movements(&members, period, mean, change);
        let counting = members.iter().filter(|member| !member.counted.is_empty());
        let is_without_lines = |member: &&Member| {
            let mut reasons = member.left_out.iter().map(|(_, reason)| reason);
            reasons.any(|reason| *reason == Reason::NoLines)
        };
        Some(Self {
            period,
            interval: history.interval,
            change,
            counted: number(counting.clone().count()),
            repositories: number(members.len()),
            without_lines: number(members.iter().filter(is_without_lines).count()),
            stale: number(
                counting
                    .filter(|member| is_stale(last(&member.counted, period.to), period.to))
                    .count(),
            ),
            left_out: members.iter().flat_map(left_out).collect(),
            groups: groups(&history.org, &members, period, mean),
            movements,
            points,
        })
    }

    /// The org at the end of the period.
    pub fn last(&self) -> Option<&OrgPoint> {
        self.points.last()
    }
}

/// The repositories with a value within the period, sorted by name.
fn members<'a>(series: &'a [OrgSeries], period: Period, query: &OrgQuery) -> Vec<Member<'a>> {
    let mut members: BTreeMap<&Repository, Member<'a>> = BTreeMap::new();
    let mut series: Vec<_> = series
        .iter()
        .filter(|one| one.first <= period.to && one.ended.is_none_or(|end| end > period.from))
        .collect();
    series.sort_by_key(|one| (&one.repository, &one.language));
    for one in series {
        let member = members.entry(&one.repository).or_insert_with(|| Member {
            repository: &one.repository,
            counted: Vec::new(),
            left_out: Vec::new(),
        });
        match reason_to_leave_out(one, period, query) {
            None => member.counted.push(one),
            Some(reason) => member.left_out.push((one, reason)),
        }
    }
    members.into_values().collect()
}

fn reason_to_leave_out(series: &OrgSeries, period: Period, query: &OrgQuery) -> Option<Reason> {
    let has = |day: Day, mean: Mean| series.at(day, mean).is_some();
    match query.over {
        Over::Same if !has(period.from, Mean::Plain) => Some(Reason::New(series.first)),
        Over::Same if !has(period.to, Mean::Plain) => {
            Some(Reason::Gone(series.ended.unwrap_or(period.to)))
        }
        Over::Same if !has(period.from, query.mean) || !has(period.to, query.mean) => {
            Some(Reason::NoLines)
        }
        Over::Same => None,
        Over::All => {
            let is_usable = series
                .steps
                .iter()
                .any(|step| step.day <= period.to && has(step.day.max(period.from), query.mean));
            (!is_usable).then_some(Reason::NoLines)
        }
    }
}

fn share(series: &[&OrgSeries], day: Day, mean: Mean) -> Option<Share> {
    let values: Vec<_> = series.iter().filter_map(|one| one.at(day, mean)).collect();
    Share::of(mean, &values)
}

fn lines<'a>(members: impl Iterator<Item = &'a [&'a OrgSeries]>, day: Day) -> Option<Count> {
    members
        .filter_map(|series| share(series, day, Mean::Weighted))
        .reduce(|sum, share| sum + share)
        .map(Share::lines)
}

fn point(members: &[Member], day: Day, mean: Mean) -> OrgPoint {
    let (mut sum, mut repositories) = (Share::default(), 0);
    for share in members
        .iter()
        .filter_map(|member| share(&member.counted, day, mean))
    {
        sum += share;
        repositories += 1;
    }
    OrgPoint {
        day,
        coverage: sum.percentage(),
        lines: lines(members.iter().map(|member| &*member.counted), day),
        repositories,
    }
}

fn movements(
    members: &[Member],
    period: Period,
    mean: Mean,
    change: Option<Change>,
) -> Vec<Movement> {
    let shares: Vec<_> = members
        .iter()
        .map(|member| {
            let at = |day| share(&member.counted, day, mean);
            (at(period.from), at(period.to))
        })
        .collect();
    let contributions = contributions(&shares, change);
    let mut movements: Vec<_> = members
        .iter()
        .enumerate()
        .map(|(index, member)| {
            let contribution = contributions
                .as_ref()
                .filter(|_| !member.counted.is_empty())
                .and_then(|all| all.get(index).copied());
            movement(member, period, mean, contribution)
        })
        .collect();
    let size = |change: Option<Change>| change.map_or(0, |change| change.basis_points().abs());
    movements.sort_by_key(|row| {
        std::cmp::Reverse((
            std::cmp::Reverse(row.state),
            size(row.contribution),
            size(row.change),
        ))
    });
    movements
}

fn movement(member: &Member, period: Period, mean: Mean, contribution: Option<Change>) -> Movement {
    let all: Vec<_> = member.left_out.iter().map(|(series, _)| *series).collect();
    let series = if member.counted.is_empty() {
        &all
    } else {
        &member.counted
    };
    let ends = |mean| {
        (
            share(series, period.from, mean),
            share(series, period.to, mean),
        )
    };
    let state = match ends(Mean::Plain) {
        _ if member.counted.is_empty()
            && member
                .left_out
                .iter()
                .any(|(_, why)| *why == Reason::NoLines) =>
        {
            State::Unweighted
        }
        (Some(_), Some(_)) => State::Kept,
        (None, Some(_)) => State::New,
        (_, None) => State::Gone,
    };
    let (start, end) = match state {
        State::Unweighted => ends(Mean::Plain),
        _ => ends(mean),
    };
    let (start, end) = (
        start.and_then(Share::percentage),
        end.and_then(Share::percentage),
    );
    let last = last(series, period.to);
    Movement {
        repository: member.repository.clone(),
        state,
        start,
        end,
        change: start
            .zip(end)
            .filter(|_| period.from < period.to)
            .map(|(start, end)| Change::between(start, end)),
        contribution,
        lines: lines(std::iter::once(&**series), period.to),
        last,
        is_stale: state != State::Gone && is_stale(last, period.to),
    }
}

/// The day of the last upload of `series` until `to`.
fn last(series: &[&OrgSeries], to: Day) -> Option<Day> {
    series
        .iter()
        .flat_map(|one| one.steps.iter().map(|step| step.day))
        .filter(|day| *day <= to)
        .max()
}

fn is_stale(last: Option<Day>, to: Day) -> bool {
    last.is_some_and(|last| i64::from(to.since(last)) >= STALE_DAYS)
}

fn left_out<'a>(member: &'a Member) -> impl Iterator<Item = LeftOut> + 'a {
    member.left_out.iter().map(|(series, reason)| LeftOut {
        repository: series.repository.clone(),
        language: series.language.clone(),
        reason: *reason,
    })
}

fn groups(org: &OrgName, members: &[Member], period: Period, mean: Mean) -> Vec<GroupRow> {
    let mut groups: BTreeMap<OrgName, Vec<&Member>> = BTreeMap::new();
    for member in members {
        if let Some(group) = org.group_of(&member.repository.org) {
            groups.entry(group).or_default().push(member);
        }
    }
    let row = |(org, members): (OrgName, Vec<&Member>)| {
        let at = |day| {
            members
                .iter()
                .filter_map(|member| share(&member.counted, day, mean))
                .reduce(|sum, share| sum + share)
                .and_then(Share::percentage)
        };
        let (start, end) = (at(period.from), at(period.to));
        GroupRow {
            org,
            repositories: number(members.len()),
            coverage: end,
            change: start
                .zip(end)
                .filter(|_| period.from < period.to)
                .map(|(start, end)| Change::between(start, end)),
            lines: lines(members.iter().map(|member| &*member.counted), period.to),
        }
    };
    groups.into_iter().map(row).collect()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
