//! The groups of an org, or all orgs, as rows with a trend of their own.

use super::{
    OrgPoint, add_sums, change,
    member::Member,
    movement::{Movement, State},
    point, whole,
};
use crate::{Change, OrgName, Percentage};
use crate::{
    Day,
    org::{KeptRepositories, LinesChange, Mean, OrgHistory},
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
    pub(super) fn of<'a>(
        rows: impl Iterator<Item = &'a Movement>,
        kept: KeptRepositories,
        target: Percentage,
    ) -> Self {
        let mut counts = Self {
            in_period: kept.repositories,
            at_end: kept.repositories,
            on_target: kept.on_target,
            stale: kept.stale,
        };
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
pub(super) fn parent(history: &OrgHistory, members: &[Member]) -> Option<OrgName> {
    if let Some(org) = &history.org {
        return Some(org.clone());
    }
    let of_members = members.iter().map(|member| &member.repository.org);
    let mut orgs = of_members.chain(in_sums(history).map(|(org, _)| org));
    let has_groups = orgs.clone().any(|org| org.parent().is_some());
    let top = orgs.next()?.top();
    let is_only = orgs.all(|org| top.contains(org));
    (is_only && has_groups).then_some(top)
}

/// The orgs with repositories that are only in the sums.
fn in_sums(history: &OrgHistory) -> impl Iterator<Item = &(OrgName, KeptRepositories)> + Clone {
    let kept = history.kept();
    kept.filter(|(_, kept)| kept.repositories > 0)
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
    let mut groups: BTreeMap<OrgName, (Vec<&Member>, KeptRepositories)> = BTreeMap::new();
    for member in members {
        if let Some(group) = group_of(&member.repository.org) {
            groups.entry(group).or_default().0.push(member);
        }
    }
    for (org, kept) in in_sums(history) {
        if let Some(group) = group_of(org) {
            let (_, sum) = groups.entry(group).or_default();
            *sum = [*sum, *kept].into_iter().sum();
        }
    }
    let mut sums: HashMap<OrgName, Vec<LinesChange>> = HashMap::new();
    for (org, change) in history.sums.iter().flat_map(|sums| &sums.changes) {
        if let Some(group) = group_of(org) {
            sums.entry(group).or_default().push(*change);
        }
    }
    let row = |(org, (members, kept)): (OrgName, (Vec<&Member>, KeptRepositories))| {
        let mut points: Vec<_> = days
            .iter()
            .map(|day| point(members.iter().copied(), *day, mean))
            .collect();
        if history.sums.is_some() {
            let changes = sums.remove(&org).unwrap_or_default();
            add_sums(&mut points, kept, changes);
        }
        let rows = members
            .iter()
            .filter_map(|member| movements.get(member.repository).copied());
        GroupRow {
            org,
            whole: whole(members.iter().copied(), kept, to, mean),
            change: change(&points),
            counts: RepositoryCounts::of(rows, kept, target),
            points,
        }
    };
    groups.into_iter().map(row).collect()
}
