//! What the change of an org is about: the repositories that can be compared.

use super::whole;
use crate::{Beginning, Day, OrgHistory, OrgReport, OrgSeries, Repository};
use std::collections::BTreeMap;

/// The repositories with a value on the day by which half of the present repositories had a record, as on the page of an org. `None` if
/// this day is the last one, or if they have too few lines.
pub(super) fn since_half(mut history: OrgHistory, all: Option<&OrgReport>) -> Option<OrgReport> {
    let series = history.series.iter();
    let first: Vec<_> = first_days(series.clone()).into_values().collect();
    let active = first_days(series.filter(|one| one.ended.is_none()));
    let half = Beginning::of(&first, active.into_values().collect())?.half;
    let period = history.period.as_mut()?;
    period.from = half.max(period.from);
    if period.from >= period.to {
        return None;
    }
    whole(&history).filter(|later| is_comparable(later, all))
}

/// Whether these repositories speak for the org: they have half of the lines.
pub(super) fn is_comparable(same: &OrgReport, all: Option<&OrgReport>) -> bool {
    let total = |report: &OrgReport| Some(report.last()?.lines?.total);
    let most = total(same).zip(all.and_then(total));
    same.change.is_some() && most.is_none_or(|(same, all)| 2 * same >= all)
}

/// The day of the first record of each repository.
pub(super) fn first_days<'a>(
    series: impl Iterator<Item = &'a OrgSeries>,
) -> BTreeMap<&'a Repository, Day> {
    let mut first = BTreeMap::new();
    for one in series {
        let day = first.entry(&one.repository).or_insert(one.first);
        *day = one.first.min(*day);
    }
    first
}
