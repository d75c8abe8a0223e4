//! Every day of a long period, computed from one part of the period after the other.

use super::{
    OrgPoint,
    member::{Member, members},
    point,
};
use crate::org::{OrgHistory, OrgQuery, OrgSeries};
use crate::{Language, Repository};
use std::collections::{BTreeMap, HashSet};

/// What counts in a period. A part of the period is not enough to decide: a repository may have its first value before or
/// after the part.
pub struct EveryDay<'a> {
    query: &'a OrgQuery,
    counted: HashSet<(&'a Repository, &'a Language)>,
}

impl<'a> EveryDay<'a> {
    /// Finds what counts in the period of `history`; `None` if it has no period.
    pub fn of(history: &'a OrgHistory, query: &'a OrgQuery) -> Option<Self> {
        let members = members(&history.series, history.period?, query);
        let counted = members.iter().flat_map(|member| &member.counted);
        let counted = counted.map(|series| (&series.repository, &series.language));
        Some(Self {
            query,
            counted: counted.collect(),
        })
    }

    /// Returns a point for each day of the period of `part`, whose series have a value for each day on which they
    /// changed.
    pub fn points(&self, part: &OrgHistory) -> Vec<OrgPoint> {
        let Some(period) = part.period else {
            return Vec::new();
        };
        let mut members: BTreeMap<&Repository, Vec<&OrgSeries>> = BTreeMap::new();
        for series in &part.series {
            if self
                .counted
                .contains(&(&series.repository, &series.language))
            {
                members.entry(&series.repository).or_default().push(series);
            }
        }
        let members: Vec<_> = members
            .into_iter()
            .map(|(repository, counted)| Member {
                repository,
                counted,
                left_out: Vec::new(),
            })
            .collect();
        let days = period.points(part.interval).into_iter();
        days.map(|day| point(members.iter(), day, self.query.mean))
            .collect()
    }
}
