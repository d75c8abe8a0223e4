//! The repositories from the start to the end of a period, and their parts of the change.

use super::member::{Member, Reason, lines, share};
use crate::{Change, Count, Percentage, Repository, STALE_DAYS};
use crate::{
    Day,
    org::{Mean, OrgSeries, Period, contribution::contributions, share::Share},
};

/// The state of a repository within the period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It has a value at both ends.
    Kept,
    /// Its first value is within the period.
    New,
    /// Its branch was retired within the period.
    Gone,
    /// Its coverage files do not count what the metric counts, or have no line counts, which the weighted mean needs.
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
    /// Its part of the org's change; `None` if it does not count.
    pub contribution: Option<Change>,
    /// Covered and total lines at the end, or what the metric counts, if known.
    pub lines: Option<Count>,
    /// The day of its last upload before the end of the period.
    pub last: Option<Day>,
    /// Whether the last upload is at least [`STALE_DAYS`] before the end of the period.
    pub is_stale: bool,
}

pub(super) fn movements(
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
                .any(|(_, why)| *why == Reason::NoCounts) =>
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
pub(super) fn last(series: &[&OrgSeries], to: Day) -> Option<Day> {
    series
        .iter()
        .flat_map(|one| one.steps.iter().map(|step| step.day))
        .filter(|day| *day <= to)
        .max()
}

pub(super) fn is_stale(last: Option<Day>, to: Day) -> bool {
    last.is_some_and(|last| i64::from(to.since(last)) >= STALE_DAYS)
}
