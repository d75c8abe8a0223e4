//! The groups of an org without the values of single repositories in the past: from the sums of `org_days` if they have what is
//! asked for. Of most repositories, only sums are read.

use super::{
    Bounds, Found, MAX_SERIES, SeriesRow, Steps,
    statements::{KEPT, SERIES, STARTS},
};
use crate::{Reader, StoreError, Unsigned, run::answered, time::now};
use domain::{
    Beginning, Count, Day, Interval, KeptRepositories, OrgHistory, OrgName, OrgQuery, OrgSums,
    Percentage, Period, STALE_DAYS, Step, Timestamp,
};
use sqlx::{AnyConnection, FromRow};

/// The repositories of an org whose languages began on the same day.
#[derive(FromRow)]
struct StartRow {
    /// `None` if no language is current.
    active_since: Option<i64>,
    repositories: i64,
    first_day: i64,
    last_day: i64,
    languages: i64,
}

/// The sums over an org without its groups.
#[derive(FromRow)]
pub(super) struct KeptRow {
    org_name: OrgName,
    pub(super) all_covered: i64,
    pub(super) all_total: i64,
    #[sqlx(try_from = "Unsigned")]
    repositories: u32,
    #[sqlx(try_from = "Unsigned")]
    lines_covered: u64,
    #[sqlx(try_from = "Unsigned")]
    lines_total: u64,
    #[sqlx(try_from = "Unsigned")]
    on_target: u32,
    #[sqlx(try_from = "Unsigned")]
    stale: u32,
}

impl Reader {
    /// Like [`Self::org`], for a page without movements of repositories: most repositories are only in its sums. Counts those
    /// that have at least `target`.
    pub async fn org_groups(
        &self,
        query: &OrgQuery,
        target: Percentage,
    ) -> Result<Option<OrgHistory>, StoreError> {
        if !self.has_sums(query) {
            return self.org(query).await;
        }
        let org = self.asked_org(query).await?;
        let (bounds, now) = (Bounds::of(org.as_ref()), now());
        let summed = self.summed_groups(query, (org, &bounds, now), target);
        let (summed, new_code) =
            futures::future::try_join(summed, self.new_code(&bounds, now)).await?;
        match summed {
            Some(history) => Ok(Some(OrgHistory {
                new_code,
                ..history
            })),
            None => self.org(query).await,
        }
    }

    /// Returns `None` if the sums do not have what is asked for.
    async fn summed_groups(
        &self,
        query: &OrgQuery,
        (org, bounds, now): (Option<OrgName>, &Bounds, Timestamp),
        target: Percentage,
    ) -> Result<Option<OrgHistory>, StoreError> {
        let today = Day::of(now);
        let mut snapshot = self.within_found().snapshot().await?;
        let starts = self
            .query(STARTS.with((bounds,)))?
            .fetch_all(&mut *snapshot);
        let starts: Vec<StartRow> = answered(starts).await?;
        let beginning = StartRow::beginning(&starts, today);
        let Some((first, period)) = beginning.and_then(|beginning| {
            let period = query.period(beginning, today)?;
            Some((beginning.first, period))
        }) else {
            return Ok(None);
        };
        let series: i64 = starts.iter().map(|row| row.languages).sum();
        let series = usize::try_from(series).unwrap_or(usize::MAX);
        let is_past = starts
            .iter()
            .all(|row| row.last_day <= i64::from(period.to.0));
        if series > MAX_SERIES || !is_past {
            return Ok(None);
        }
        let values = (bounds, Unsigned::from(MAX_SERIES), i64::from(period.from.0));
        let rows = self.query(SERIES.with(values))?.fetch_all(&mut *snapshot);
        let rows: Vec<SeriesRow> = answered(rows).await?;
        let kept = self
            .kept(&mut snapshot, bounds, period, Some(target))
            .await?;
        let interval = Interval::of(period, series);
        let current = kept.iter().map(|row| {
            let org = row.org_name.to_string();
            (org, (row.all_covered, row.all_total))
        });
        let of = (period, interval, query.over);
        let changes = self.changes(&mut snapshot, bounds, of, current.collect());
        let mut sums = OrgSums {
            changes: Vec::new(),
            kept: kept.into_iter().map(KeptRow::repositories).collect(),
        };
        for (org, change) in changes.await? {
            sums.changes.push((org.try_into()?, change));
        }
        let steps = rows.iter();
        let steps = steps.map(|row| ((row.branch_id, row.language.clone()), row.known()));
        let steps: Steps = steps.collect();
        let found = Found {
            metric: query.metric,
            org,
            now,
            first,
            period: Some(period),
            interval,
            rows,
            is_cut: false,
            bounds: Bounds::of(None),
        };
        Ok(Some(OrgHistory {
            sums: Some(sums),
            ..found.history(Some(period), interval, steps)
        }))
    }

    /// The sums over each org without its groups. Without a target, no repository has it.
    pub(super) async fn kept(
        &self,
        snapshot: &mut AnyConnection,
        bounds: &Bounds,
        period: Period,
        target: Option<Percentage>,
    ) -> Result<Vec<KeptRow>, StoreError> {
        let above = i64::from(Percentage::FULL) + 1;
        let values = (
            bounds,
            i64::from(period.from.0),
            target.map_or(above, |target| i64::from(target.basis_points())),
            i64::from(period.to.0) - STALE_DAYS,
        );
        let query = self.query(KEPT.with(values))?;
        Ok(answered(query.fetch_all(snapshot)).await?)
    }
}

impl KeptRow {
    fn repositories(self) -> (OrgName, KeptRepositories) {
        let lines = Count {
            covered: self.lines_covered,
            total: self.lines_total,
        };
        let kept = KeptRepositories {
            repositories: self.repositories,
            lines,
            on_target: self.on_target,
            stale: self.stale,
        };
        (self.org_name, kept)
    }
}

impl StartRow {
    fn beginning(rows: &[Self], today: Day) -> Option<Beginning> {
        // A record from a clock that was ahead counts as a record of today.
        let day = |day: i64| i32::try_from(day).map_or(today, |day| Day(day).min(today));
        let all: Vec<_> = rows.iter().map(|row| day(row.first_day)).collect();
        let active = rows.iter().filter_map(|row| {
            let since = day(row.active_since?);
            let repositories = usize::try_from(row.repositories).unwrap_or(0);
            Some(std::iter::repeat_n(since, repositories))
        });
        Beginning::of(&all, active.flatten().collect())
    }
}

impl SeriesRow {
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
