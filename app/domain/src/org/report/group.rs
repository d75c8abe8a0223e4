//! The groups of an org, or all orgs, as rows with a trend of their own.

use super::{
    OrgPoint, change,
    member::Member,
    movement::{Movement, State},
    point, whole,
};
use crate::{Change, OrgName, Percentage};
use crate::{
    Day,
    org::{LinesChange, Mean, OrgHistory},
};
use std::collections::{BTreeMap, HashMap};

/// A group within an org, or an org among all orgs; including its own groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRow {
    /// The group.
    pub org: OrgName,
    /// Its trend, on the same days as the org's trend and computed in the same way.
    pub points: Vec<OrgPoint>,
    /// With all its repositories at the end.
    pub whole: OrgPoint,
    /// From start to end.
    pub change: Option<Change>,
    /// Its repositories.
    pub counts: RepositoryCounts,
}

/// How many repositories there are, whether they count for the coverage or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepositoryCounts {
    /// Repositories with a value within the period.
    pub in_period: u32,
    /// Repositories with a value at the end.
    pub at_end: u32,
    /// Repositories at the end with at least the target.
    pub on_target: u32,
    /// Repositories at the end that were stale.
    pub stale: u32,
}

impl RepositoryCounts {
    pub(super) fn of<'a>(rows: impl Iterator<Item = &'a Movement>, target: Percentage) -> Self {
        let mut counts = Self::default();
        for row in rows {
            counts.in_period += 1;
            let Some(end) = row.end.filter(|_| row.state != State::Gone) else {
                continue;
            };
            counts.at_end += 1;
            counts.on_target += u32::from(end >= target);
            counts.stale += u32::from(row.is_stale);
        }
        counts
    }

    /// The share of the repositories at the end that have at least the target, in whole percent. 100 only if all have it, and
    /// 0 only if no repository has it.
    pub fn share_on_target(self) -> Option<u32> {
        let (part, whole) = (u64::from(self.on_target), u64::from(self.at_end));
        let rounded = (200 * part + whole).checked_div(2 * whole)?;
        let share = match self.on_target {
            0 => 0,
            all if all >= self.at_end => 100,
            _ => rounded.clamp(1, 99),
        };
        u32::try_from(share).ok()
    }
}

/// Returns the org whose groups are the rows: `org`, or the only org if it has groups. `None` if the rows are all orgs.
pub(super) fn parent(org: Option<&OrgName>, members: &[Member]) -> Option<OrgName> {
    if let Some(org) = org {
        return Some(org.clone());
    }
    let mut orgs = members.iter().map(|member| &member.repository.org);
    let top = orgs.next()?.top();
    let is_only = orgs.clone().all(|org| top.contains(org));
    let has_groups = members
        .iter()
        .any(|member| member.repository.org.parent().is_some());
    (is_only && has_groups).then_some(top)
}

/// The groups directly within `parent`, or the orgs at the top, sorted by name.
pub(super) fn groups(
    parent: Option<&OrgName>,
    members: &[Member],
    movements: &[Movement],
    (days, mean, target): (&[Day], Mean, Percentage),
    history: &OrgHistory,
) -> Vec<GroupRow> {
    let Some(&to) = days.last() else {
        return Vec::new();
    };
    let movements: HashMap<_, _> = movements.iter().map(|row| (&row.repository, row)).collect();
    let group_of = |org: &OrgName| match parent {
        Some(parent) => parent.group_of(org),
        None => Some(org.top()),
    };
    let mut groups: BTreeMap<OrgName, Vec<&Member>> = BTreeMap::new();
    for member in members {
        if let Some(group) = group_of(&member.repository.org) {
            groups.entry(group).or_default().push(member);
        }
    }
    let mut sums: HashMap<OrgName, Vec<LinesChange>> = HashMap::new();
    for (org, change) in history.sums.iter().flatten() {
        if let Some(group) = group_of(org) {
            sums.entry(group).or_default().push(*change);
        }
    }
    let row = |(org, members): (OrgName, Vec<&Member>)| {
        let mut points: Vec<_> = days
            .iter()
            .map(|day| point(members.iter().copied(), *day, mean))
            .collect();
        if history.sums.is_some() {
            OrgPoint::sum_up(&mut points, sums.remove(&org).unwrap_or_default());
        }
        let rows = members
            .iter()
            .filter_map(|member| movements.get(member.repository).copied());
        GroupRow {
            org,
            whole: whole(members.iter().copied(), to, mean),
            change: change(&points),
            counts: RepositoryCounts::of(rows, target),
            points,
        }
    };
    groups.into_iter().map(row).collect()
}
