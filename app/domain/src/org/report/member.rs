//! A repository with the languages that count in a period, and the other languages.

use crate::{Count, Language, Repository};
use crate::{
    Day,
    org::{Mean, OrgQuery, OrgSeries, Over, Period, share::Share},
};
use std::collections::BTreeMap;

/// Why a language of a repository does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Its first record is from this day, after the start.
    New(Day),
    /// Its branch was retired on this day.
    Gone(Day),
    /// Its coverage files do not count what the metric counts, at least at the start.
    NoCounts,
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

/// A repository with its counted and uncounted series.
pub(super) struct Member<'a> {
    pub(super) repository: &'a Repository,
    pub(super) counted: Vec<&'a OrgSeries>,
    pub(super) left_out: Vec<(&'a OrgSeries, Reason)>,
}

/// The repositories with a value within the period, sorted by name.
pub(super) fn members<'a>(
    series: &'a [OrgSeries],
    period: Period,
    query: &OrgQuery,
) -> Vec<Member<'a>> {
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
        Over::Same if series.current(period.from).is_none() => Some(Reason::New(series.first)),
        Over::Same if series.current(period.to).is_none() => {
            Some(Reason::Gone(series.ended.unwrap_or(period.to)))
        }
        Over::Same if !has(period.from, query.mean) || !has(period.to, query.mean) => {
            Some(Reason::NoCounts)
        }
        Over::Same => None,
        Over::All => {
            let is_usable = series
                .steps
                .iter()
                .any(|step| step.day <= period.to && has(step.day.max(period.from), query.mean));
            (!is_usable).then_some(Reason::NoCounts)
        }
    }
}

pub(super) fn share(series: &[&OrgSeries], day: Day, mean: Mean) -> Option<Share> {
    let values: Vec<_> = series.iter().filter_map(|one| one.at(day, mean)).collect();
    Share::of(mean, &values)
}

/// The share of the current records of a repository, also of the languages that do not count in the period.
pub(super) fn current(member: &Member, day: Day, mean: Mean) -> Option<Share> {
    let left_out = member.left_out.iter().map(|(series, _)| series);
    let all = member.counted.iter().chain(left_out);
    let values: Vec<_> = all.filter_map(|one| one.current(day)).collect();
    Share::of(mean, &values)
}

pub(super) fn lines<'a>(
    members: impl Iterator<Item = &'a [&'a OrgSeries]>,
    day: Day,
) -> Option<Count> {
    members
        .filter_map(|series| share(series, day, Mean::Weighted))
        .reduce(|sum, share| sum + share)
        .map(Share::lines)
}

pub(super) fn left_out<'a>(member: &'a Member) -> impl Iterator<Item = LeftOut> + 'a {
    member.left_out.iter().map(|(series, reason)| LeftOut {
        repository: series.repository.clone(),
        language: series.language.clone(),
        reason: *reason,
    })
}
