//! Every day of an org's trend: from the sums of `org_days` if they have what is asked for, otherwise from the records.

use super::{
    Bounds, Found, MAX_SERIES, Steps, first_days,
    groups::KeptRow,
    span::{self, Span},
    statements::{CHANGES, SPANS},
};
use crate::{Reader, StoreError, Unsigned, run::answered, time::now};
use domain::{
    Beginning, Day, EveryDay, Interval, LinesChange, Mean, OrgName, OrgPoint, OrgQuery, Over,
    Period, StatedMetric,
};
use sqlx::{AnyConnection, FromRow};
use std::collections::HashMap;

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

/// The days of an org from the sums.
enum Summed {
    /// `None` if there are no uploads.
    Days(Option<OrgDays>),
    /// The sums do not have them.
    Unknown,
}

#[derive(FromRow)]
struct ChangeRow {
    org_name: String,
    day: i64,
    lines_covered: i64,
    lines_total: i64,
    all_covered: i64,
    all_total: i64,
}

impl Reader {
    /// Returns a point for each day of the period of [`Self::org`]; `None` if it ends before the first upload.
    pub async fn org_days(&self, query: &OrgQuery) -> Result<Option<OrgDays>, StoreError> {
        if let Summed::Days(days) = self.summed(query).await? {
            return Ok(days);
        }
        let org = self.asked_org(query).await?;
        let mut connection = self.within_found().read_pool.acquire().await?;
        let found = self.found(&mut connection, (query, org)).await?;
        drop(connection);
        let Some((found, period)) = found.and_then(|found| {
            let period = found.period?;
            Some((found, period))
        }) else {
            return Ok(None);
        };
        let points = self.of_records(&found, period, query).await?;
        Ok(Some(OrgDays {
            org: found.org,
            period,
            points,
        }))
    }

    /// Whether the sums are over what a query counts: over whole orgs, and weighted by lines.
    pub(super) fn has_sums(&self, query: &OrgQuery) -> bool {
        (query.metric, query.mean) == (StatedMetric::Lines, Mean::Weighted)
            && self.scope().is_of_orgs()
    }

    /// The cost grows with the number of orgs and days, and with the number of repositories that are not the same at both ends.
    async fn summed(&self, query: &OrgQuery) -> Result<Summed, StoreError> {
        if !self.has_sums(query) {
            return Ok(Summed::Unknown);
        }
        let org = self.asked_org(query).await?;
        let mut snapshot = self.within_found().snapshot().await?;
        let bounds = Bounds::of(org.as_ref());
        let values = (&bounds, Unsigned::from(MAX_SERIES + 1));
        let spans = self.query(SPANS.with(values))?;
        let (spans,): (Option<String>,) = answered(spans.fetch_one(&mut *snapshot)).await?;
        let spans = Span::all(spans.as_deref().unwrap_or_default());
        if spans.len() > MAX_SERIES {
            return Ok(Summed::Unknown);
        }
        let today = Day::of(now());
        let all = first_days(spans.iter().map(Span::begins), today);
        let active = spans.iter().filter(|span| span.ended_at.is_none());
        let active = first_days(active.map(Span::begins), today);
        let beginning = Beginning::of(&all, active);
        let Some(period) = beginning.and_then(|beginning| query.period(beginning, today)) else {
            return Ok(Summed::Days(None));
        };
        let kept = self.kept(&mut snapshot, &bounds, period, None).await?;
        let add =
            |(covered, total), row: &KeptRow| (covered + row.all_covered, total + row.all_total);
        let all = (String::new(), kept.iter().fold((0, 0), add));
        let of = (period, Interval::DAY, query.over);
        let changes = self.changes(&mut snapshot, &bounds, of, vec![all]).await?;
        let mut points = span::points(&spans, period, query.over);
        OrgPoint::sum_up(&mut points, changes.into_iter().map(|(_, change)| change));
        Ok(Summed::Days(Some(OrgDays {
            org,
            period,
            points,
        })))
    }

    /// The changes until each point of a period, oldest first: of each org without its groups, or of all orgs together, whose
    /// name is empty. `current` are their covered and total lines now: the sums on the first day are less by the changes since
    /// then, so that earlier days are not read.
    pub(super) async fn changes(
        &self,
        snapshot: &mut AnyConnection,
        bounds: &Bounds,
        (period, interval, over): (Period, Interval, Over),
        current: Vec<(String, (i64, i64))>,
    ) -> Result<Vec<(String, LinesChange)>, StoreError> {
        let is_by_org = current.iter().any(|(org, _)| !org.is_empty());
        let values = (
            bounds,
            i64::from(period.from.0),
            i64::from(period.to.0),
            i64::from(interval.days()),
            i64::from(is_by_org),
            i64::from(over == Over::Same),
            period.to.end(),
        );
        let query = self.query(CHANGES.with(values))?;
        let rows: Vec<ChangeRow> = answered(query.fetch_all(snapshot)).await?;
        let mut since: HashMap<&str, (i64, i64)> = HashMap::new();
        for row in &rows {
            let sum = since.entry(&row.org_name).or_default();
            *sum = (sum.0 + row.all_covered, sum.1 + row.all_total);
        }
        let first = current.into_iter().map(|(org, (covered, total))| {
            let (later_covered, later_total) = since.get(&*org).copied().unwrap_or_default();
            let change = LinesChange {
                day: period.from,
                covered: covered - later_covered,
                total: total - later_total,
            };
            (org, change)
        });
        let mut changes: Vec<_> = first.collect();
        changes.extend(rows.into_iter().map(|row| {
            let change = LinesChange {
                day: Day(i32::try_from(row.day).unwrap_or(i32::MAX)),
                covered: row.lines_covered,
                total: row.lines_total,
            };
            (row.org_name, change)
        }));
        Ok(changes)
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
