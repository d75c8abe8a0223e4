//! The groups of an org without the values of single repositories in the past: from the sums of `org_days` if they have what is asked
//! for.

use super::{SeriesRow, Steps};
use crate::{Reader, StoreError};
use domain::{Count, Day, OrgHistory, OrgQuery, Percentage, Step};

impl Reader {
    /// Like [`Self::org`], for a page without movements of repositories, whose values at the start may be missing.
    pub async fn org_groups(&self, query: &OrgQuery) -> Result<Option<OrgHistory>, StoreError> {
        if !self.has_sums(query) {
            return self.org(query).await;
        }
        let org = self.asked_org(query).await?;
        let mut snapshot = self.within_found().snapshot().await?;
        let Some(found) = self.found(&mut snapshot, (query, org)).await? else {
            return Ok(None);
        };
        let Some(period) = found
            .period
            .filter(|period| !found.is_cut && found.rows.iter().all(|row| row.is_past(period.to)))
        else {
            drop(snapshot);
            return self.org(query).await;
        };
        let of = (period, found.interval, query.over);
        let changes = self.changes(&mut snapshot, &found.bounds, of, true).await?;
        drop(snapshot);
        let mut sums = Vec::with_capacity(changes.len());
        for change in changes {
            let lines = change.lines();
            sums.push((change.org_name.try_into()?, lines));
        }
        let series = found.rows.iter();
        let steps = series.map(|row| ((row.branch_id, row.language.clone()), row.known()));
        let steps: Steps = steps.collect();
        Ok(Some(OrgHistory {
            new_code: self.new_code(&found).await?,
            sums: Some(sums),
            ..found.history(Some(period), found.interval, steps)
        }))
    }
}

impl SeriesRow {
    /// Whether the state of the series at the end of a day is its state now.
    fn is_past(&self, day: Day) -> bool {
        let last = self.last_at.max(self.ended_at.unwrap_or(self.last_at));
        last.0 < day.end().0
    }

    /// The days on which a series has values, and the current values.
    fn known(&self) -> Vec<Step> {
        let (first, last) = (Day::of(self.first_at), Day::of(self.last_at));
        let unknown = Step {
            day: first,
            percentage: Some(Percentage::from_basis_points(0)),
            lines: None,
        };
        let mut steps = Vec::with_capacity(4);
        steps.push(unknown);
        if let Some(day) = self.counted_day.and_then(|day| i32::try_from(day).ok()) {
            let lines = Some(Count {
                covered: 0,
                total: 1,
            });
            steps.push(Step {
                day: Day(day),
                lines,
                ..unknown
            });
        }
        let earlier = Count::of_columns(self.earlier_covered, self.earlier_total);
        let values = [earlier.filter(|earlier| earlier.total > 0), self.lines];
        for lines in values {
            steps.push(Step {
                day: last,
                percentage: self.percentage.or(unknown.percentage),
                lines,
            });
        }
        steps
    }
}
