//! Every day of an org's trend: from the sums of `org_days` if they have what is asked for, otherwise from the records.

use super::{Found, SeriesRow, Steps, statements::CHANGES};
use crate::{Reader, StoreError};
use domain::{
    Day, EveryDay, Interval, LinesChange, Mean, OrgName, OrgPoint, OrgQuery, Over, Period,
    StatedMetric,
};
use sqlx::{AnyConnection, FromRow};

/// An org with a point for each day of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrgDays {
    /// The org; `None` for all orgs.
    pub org: Option<OrgName>,
    /// The period.
    pub period: Period,
    /// Its days, oldest first.
    pub points: Vec<OrgPoint>,
}

#[derive(FromRow)]
pub(super) struct ChangeRow {
    /// Empty for all orgs together.
    pub(super) org_name: String,
    day: i64,
    lines_covered: i64,
    lines_total: i64,
}

impl ChangeRow {
    pub(super) fn lines(&self) -> LinesChange {
        LinesChange {
            day: Day(i32::try_from(self.day).unwrap_or(i32::MAX)),
            covered: self.lines_covered,
            total: self.lines_total,
        }
    }
}

impl Reader {
    /// Returns a point for each day of the period of [`Self::org`]; `None` if it ends before the first upload.
    pub async fn org_days(&self, query: &OrgQuery) -> Result<Option<OrgDays>, StoreError> {
        let mut snapshot = self.within_found().snapshot().await?;
        let Some(found) = self.found(&mut snapshot, query).await? else {
            return Ok(None);
        };
        let Some(period) = found.period else {
            return Ok(None);
        };
        let points = match self.has_sums(&found, query) {
            true => {
                self.summed(&mut snapshot, &found, period, query.over)
                    .await?
            }
            false => {
                drop(snapshot);
                self.of_records(&found, period, query).await?
            }
        };
        Ok(Some(OrgDays {
            org: found.org,
            period,
            points,
        }))
    }

    /// Whether the sums are over what a query counts: over whole orgs, and weighted by lines.
    pub(super) fn has_sums(&self, found: &Found, query: &OrgQuery) -> bool {
        (query.metric, query.mean) == (StatedMetric::Lines, Mean::Weighted)
            && !found.is_cut
            && self.scope().is_of_orgs()
    }

    /// The cost grows with the number of orgs and days, and with the number of repositories that are not the same at both ends.
    async fn summed(
        &self,
        snapshot: &mut AnyConnection,
        found: &Found,
        period: Period,
        over: Over,
    ) -> Result<Vec<OrgPoint>, StoreError> {
        let of = (period, Interval::DAY, over);
        let changes = self.changes(snapshot, found, of, false).await?;
        let counted = repositories_from_day_to_day(&found.rows, period, over);
        let mut repositories = 0;
        let days = period.points(Interval::DAY).into_iter().zip(counted);
        let points = days.map(|(day, change)| {
            repositories += change;
            OrgPoint {
                day,
                coverage: None,
                lines: None,
                repositories: u32::try_from(repositories).unwrap_or(0),
            }
        });
        let mut points: Vec<_> = points.collect();
        OrgPoint::sum_up(&mut points, changes.iter().map(ChangeRow::lines));
        Ok(points)
    }

    /// The changes until each point of a period, oldest first: of all orgs together, or of each.
    pub(super) async fn changes(
        &self,
        snapshot: &mut AnyConnection,
        found: &Found,
        (period, interval, over): (Period, Interval, Over),
        is_by_org: bool,
    ) -> Result<Vec<ChangeRow>, StoreError> {
        let days = (i64::from(period.from.0), i64::from(period.to.0));
        let values = (
            &found.bounds,
            days.0,
            days.1,
            period.to.end(),
            i64::from(interval.days()),
            i64::from(is_by_org),
            i64::from(over == Over::Same),
        );
        let query = self.query(CHANGES.with(values))?;
        Ok(query.fetch_all(snapshot).await?)
    }

    /// Reads the values in parts of the period, so that a long period needs no more memory.
    pub(super) async fn of_records(
        &self,
        found: &Found,
        period: Period,
        query: &OrgQuery,
    ) -> Result<Vec<OrgPoint>, StoreError> {
        let ends = self.steps(found, period, found.interval).await?;
        let history = found.history(Some(period), found.interval, ends);
        let mut points = Vec::new();
        if let Some(every_day) = EveryDay::of(&history, query) {
            for part in period.parts(found.rows.len()) {
                let steps: Steps = self.steps(found, part, Interval::DAY).await?;
                points.extend(every_day.points(&found.history(Some(part), Interval::DAY, steps)));
            }
        }
        Ok(points)
    }
}

/// On each day, the change of the number of repositories of which at least one language counts.
fn repositories_from_day_to_day(rows: &[SeriesRow], period: Period, over: Over) -> Vec<i32> {
    let place = |day: Day| usize::try_from(day.since(period.from)).unwrap_or(0);
    // After the last day, the number of repositories is not of interest.
    let mut changes = vec![0; place(period.to) + 2];
    for languages in rows.chunk_by(|one, other| one.repository == other.repository) {
        let spans = languages.iter().filter_map(|row| row.counted(period, over));
        let mut spans: Vec<(Day, Day)> = spans.collect();
        spans.sort_unstable();
        let mut reached = period.from;
        for (start, end) in spans {
            let start = start.max(reached);
            if start < end {
                changes[place(start)] += 1;
                changes[place(end)] -= 1;
                reached = end;
            }
        }
    }
    changes
}

impl SeriesRow {
    /// From which day of a period it counts, and from which day no longer; `None` if it does not count.
    fn counted(&self, period: Period, over: Over) -> Option<(Day, Day)> {
        let after = period.to.days_before(-1);
        let start = Day(i32::try_from(self.counted_day?).ok()?).max(period.from);
        let end = self.ended_at.map_or(after, Day::of).min(after);
        let is_kept = start == period.from && end == after;
        (is_kept || over == Over::All).then_some((start, end))
    }
}
