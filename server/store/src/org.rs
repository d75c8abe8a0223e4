//! An org or all orgs over time: the main branches of the repositories, and their values within a period.

mod days;
mod groups;
mod span;
mod statements;
#[cfg(test)]
mod tests;

use super::{
    Reader, StoreError, Unsigned,
    names::below,
    paging::cut,
    run::{Parameter, answered},
    time::now,
};
use domain::{
    Beginning, BranchName, Count, Day, Interval, Language, NewCount, OrgHistory, OrgName,
    OrgNewCode, OrgQuery, OrgSeries, Percentage, Period, Repository, StatedMetric, Step, Timestamp,
};
use futures::TryStreamExt;
use sqlx::{AnyConnection, FromRow, any::AnyArguments};
use std::collections::{BTreeMap, HashMap};

pub use days::OrgDays;
#[cfg(test)]
pub(super) use statements::{CHANGES, KEPT, SPANS, STARTS};
pub(super) use statements::{NEW_CODE, REPOSITORIES, SERIES, steps};

/// The maximum number of main branches and languages to read.
const MAX_SERIES: usize = 20_000;

/// The maximum number of repositories to name in an org without values.
const MAX_NAMED: usize = 10;

#[derive(FromRow)]
struct SeriesRow {
    #[sqlx(flatten)]
    repository: Repository,
    branch_id: i64,
    #[sqlx(rename = "branch_name")]
    branch: BranchName,
    language: Language,
    first_at: Timestamp,
    last_at: Timestamp,
    ended_at: Option<Timestamp>,
    counted_day: Option<i64>,
    #[sqlx(rename = "percentage_basis_points")]
    percentage: Option<Percentage>,
    #[sqlx(flatten, try_from = "domain::sql::LineColumns")]
    lines: Option<Count>,
    earlier_covered: Option<i64>,
    earlier_total: Option<i64>,
}

#[derive(FromRow)]
struct StepRow {
    branch_id: i64,
    language: Language,
    at: Timestamp,
    #[sqlx(rename = "percentage_basis_points")]
    percentage: Option<Percentage>,
    #[sqlx(flatten, try_from = "domain::sql::LineColumns")]
    lines: Option<Count>,
}

#[derive(FromRow)]
struct NewCodeRow {
    #[sqlx(try_from = "Unsigned")]
    repositories: u32,
    #[sqlx(try_from = "Unsigned")]
    counted: u32,
    #[sqlx(flatten, try_from = "domain::sql::NewColumns")]
    new: Option<(NewCount, Day)>,
}

type Steps = HashMap<(i64, Language), Vec<Step>>;

impl Reader {
    /// Returns an org, or all orgs, with the values of the repositories in the requested period; `None` if there are no uploads.
    pub async fn org(&self, query: &OrgQuery) -> Result<Option<OrgHistory>, StoreError> {
        let org = self.asked_org(query).await?;
        let mut connection = self.within_found().read_pool.acquire().await?;
        let Some(found) = self.found(&mut connection, (query, org)).await? else {
            return Ok(None);
        };
        drop(connection);
        let (period, interval) = (found.period, found.interval);
        let steps = match period {
            Some(period) => self.steps(&found, period, interval).await?,
            None => Steps::new(),
        };
        Ok(Some(OrgHistory {
            new_code: self.new_code(&found.bounds, found.now).await?,
            ..found.history(period, interval, steps)
        }))
    }

    /// Returns the first repositories of an org and of its groups, also without a current record.
    pub async fn repositories_of(&self, org: &OrgName) -> Result<Vec<Repository>, StoreError> {
        let org = self.stored_org(org).await?;
        self.repositories_within(&Bounds::of(Some(&org)), MAX_NAMED)
            .await
    }

    pub(super) async fn repositories_within(
        &self,
        bounds: &Bounds,
        most: usize,
    ) -> Result<Vec<Repository>, StoreError> {
        self.all(REPOSITORIES.with((bounds, Unsigned::from(most))))
            .await
    }

    /// The new code of an org, or of all orgs; `None` if nothing was counted since yesterday.
    async fn new_code(
        &self,
        bounds: &Bounds,
        now: Timestamp,
    ) -> Result<Option<OrgNewCode>, StoreError> {
        let yesterday = Day::of(now).days_before(1);
        let values = (bounds, i64::from(yesterday.0));
        let row: Option<NewCodeRow> = self.first(NEW_CODE.with(values)).await?;
        Ok(row.and_then(|row| {
            let (new, day) = row.new?;
            Some(OrgNewCode {
                new,
                counted: row.counted,
                repositories: row.repositories,
                day,
            })
        }))
    }

    /// The org of a query as it is spelled; `None` for all orgs. Needs a connection, so no caller holds one: with as many callers
    /// as connections, all would wait.
    async fn asked_org(&self, query: &OrgQuery) -> Result<Option<OrgName>, StoreError> {
        match &query.org {
            Some(org) => Ok(Some(self.stored_org(org).await?)),
            None => Ok(None),
        }
    }

    async fn found(
        &self,
        connection: &mut AnyConnection,
        (query, org): (&OrgQuery, Option<OrgName>),
    ) -> Result<Option<Found>, StoreError> {
        let now = now();
        let bounds = Bounds::of(org.as_ref());
        // One more than the maximum, to know whether there are more.
        let values = (&bounds, Unsigned::from(MAX_SERIES + 1), i64::MIN);
        let series = self.query(SERIES.with(values))?;
        let mut rows: Vec<SeriesRow> = answered(series.fetch_all(connection)).await?;
        let is_cut = cut(&mut rows, MAX_SERIES);
        let today = Day::of(now);
        let all = first_days(rows.iter().map(SeriesRow::begins), today);
        let active = rows.iter().filter(|row| row.ended_at.is_none());
        let active = first_days(active.map(SeriesRow::begins), today);
        let Some(beginning) = Beginning::of(&all, active) else {
            return Ok(None);
        };
        let period = query.period(beginning, today);
        let days = period.unwrap_or(Period {
            from: today,
            to: today,
        });
        Ok(Some(Found {
            metric: query.metric,
            org,
            now,
            bounds,
            first: beginning.first,
            period,
            interval: Interval::of(days, rows.len()),
            rows,
            is_cut,
        }))
    }

    async fn steps(
        &self,
        found: &Found,
        period: Period,
        interval: Interval,
    ) -> Result<Steps, StoreError> {
        let length = i64::from(interval.days()) * (Day(1).start().0 - Day(0).start().0);
        let mut lookups = self.within_found().lookups().await?;
        let (from, to) = (period.from.end(), period.to.end());
        let sql =
            steps(found.metric).with((&found.bounds, Unsigned::from(MAX_SERIES), from, to, length));
        let mut rows = self.query::<StepRow>(sql)?.fetch(&mut *lookups);
        let mut steps: HashMap<(i64, Language), Vec<(Timestamp, Step)>> = HashMap::new();
        while let Some(row) = answered(rows.try_next()).await? {
            let step = Step {
                day: Day::of(row.at),
                percentage: row.percentage,
                lines: row.lines,
            };
            steps
                .entry((row.branch_id, row.language))
                .or_default()
                .push((row.at, step));
        }
        drop(rows);
        let in_order = steps.into_iter().map(|(series, mut steps)| {
            steps.sort_by_key(|(at, _)| *at);
            (series, steps.into_iter().map(|(_, step)| step).collect())
        });
        Ok(in_order.collect())
    }
}

/// The series of an org, without values.
struct Found {
    metric: StatedMetric,
    org: Option<OrgName>,
    now: Timestamp,
    bounds: Bounds,
    first: Day,
    period: Option<Period>,
    interval: Interval,
    rows: Vec<SeriesRow>,
    is_cut: bool,
}

impl Found {
    fn history(&self, period: Option<Period>, interval: Interval, mut steps: Steps) -> OrgHistory {
        let series = self.rows.iter().map(|row| {
            let steps = steps.remove(&(row.branch_id, row.language.clone()));
            row.with(steps.unwrap_or_default())
        });
        OrgHistory {
            org: self.org.clone(),
            now: self.now,
            first: self.first,
            period,
            interval,
            series: series.collect(),
            is_cut: self.is_cut,
            new_code: None,
            sums: None,
        }
    }
}

/// The names of an org and of its groups: `org` itself, and all names between `below` and `after`.
pub(super) struct Bounds {
    org: String,
    below: String,
    after: String,
}

impl Bounds {
    pub(super) fn of(org: Option<&OrgName>) -> Self {
        match org {
            Some(org) => {
                let [below, after] = below(org.as_str());
                let org = org.to_string();
                Self { org, below, after }
            }
            None => Self {
                org: String::new(),
                below: String::new(),
                // `~` comes after all characters of names.
                after: "~".to_owned(),
            },
        }
    }
}

impl Parameter for &Bounds {
    fn add_to(self, arguments: &mut AnyArguments) -> Result<(), sqlx::Error> {
        self.org.as_str().add_to(arguments)?;
        self.below.as_str().add_to(arguments)?;
        self.after.as_str().add_to(arguments)
    }
}

/// The first day of each repository, of the first records in its languages.
fn first_days<T: Ord>(records: impl Iterator<Item = (T, Timestamp)>, today: Day) -> Vec<Day> {
    let mut days = BTreeMap::new();
    for (repository, at) in records {
        // A record from a clock that was ahead counts as a record of today.
        let day = Day::of(at).min(today);
        let first = days.entry(repository).or_insert(day);
        *first = day.min(*first);
    }
    days.into_values().collect()
}

impl SeriesRow {
    fn begins(&self) -> (&Repository, Timestamp) {
        (&self.repository, self.first_at)
    }

    fn with(&self, steps: Vec<Step>) -> OrgSeries {
        OrgSeries {
            repository: self.repository.clone(),
            branch: self.branch.clone(),
            language: self.language.clone(),
            first: Day::of(self.first_at),
            ended: self.ended_at.map(Day::of),
            steps,
        }
    }
}
