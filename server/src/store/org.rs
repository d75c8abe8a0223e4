//! An org over time: the main branches of its repositories, and their values within a period.

#[cfg(test)]
mod tests;

use super::{
    Store, StoreError,
    columns::{LineColumns, Name, RepositoryColumns},
    main_branch::shown_branch_id,
    time::now,
};
use domain::{
    Beginning, BranchName, Count, Day, Interval, Language, OrgHistory, OrgName, OrgQuery,
    OrgSeries, Percentage, Period, Repository, Step, Timestamp,
};
use futures::TryStreamExt;
use sqlx::FromRow;
use std::collections::{BTreeMap, HashMap};

/// The maximum of main branches and languages to read for one org.
const MAX_SERIES: i64 = 20_000;

/// The main branches of the repositories of `$1` and of its subgroups, which sort between `$2` and `$3`, with each
/// language that they ever had.
macro_rules! series {
    () => {
        concat!(
            "with recursive chosen (branch_id, org_name, repo_name) as (
                select ",
            shown_branch_id!(),
            ", p.org_name, p.repo_name
                from repositories p
                where p.org_name = $1 or (p.org_name > $2 and p.org_name < $3)
            ),
            languages (branch_id, org_name, repo_name, language) as (
                select c.branch_id, c.org_name, c.repo_name,
                       (select r.language from records r where r.branch_id = c.branch_id and r.unconfirmed_at is null
                        order by r.language limit 1)
                from chosen c
                union all
                select l.branch_id, l.org_name, l.repo_name,
                       (select r.language from records r
                        where r.branch_id = l.branch_id and r.language > l.language and r.unconfirmed_at is null
                        order by r.language limit 1)
                from languages l where l.language is not null
            ),
            series (branch_id, org_name, repo_name, language) as (
                select l.branch_id, l.org_name, l.repo_name, l.language
                from languages l where l.language is not null
                order by l.org_name, l.repo_name, l.language limit $4
            )"
        )
    };
}

pub(super) const SERIES: &str = concat!(
    series!(),
    "select s.org_name, s.repo_name, s.branch_id, b.name as branch_name, s.language,
            (select h.updated_at from records h where h.branch_id = s.branch_id and h.language = s.language
               and h.unconfirmed_at is null
             order by h.updated_at limit 1) as first_at,
            (select h.superseded_at from records h where h.branch_id = s.branch_id and h.language = s.language
               and h.unconfirmed_at is null
             order by h.updated_at desc limit 1) as ended_at
     from series s
     cross join branches b where b.id = s.branch_id"
);

/// The last record of each interval, found by going back from one to the last one before its interval: the cost grows
/// with the intervals that have records, not with the records. `$5` is the end of the first day; the last value before
/// it is also read. `$6` is the end of the last day, `$7` the length of an interval. A record without a line count is
/// returned together with the last one before it that has a count, which stays in force for weighting by lines. SQLite
/// runs a cross join in the written order; otherwise it would read all records and look up each among the few.
pub(super) const STEPS: &str = concat!(
    series!(),
    ", walk (branch_id, language, at) as (
        select s.branch_id, s.language,
               (select h.updated_at from records h
                where h.branch_id = s.branch_id and h.language = s.language and h.updated_at < $6
                  and h.unconfirmed_at is null
                order by h.updated_at desc limit 1)
        from series s
        union all
        select w.branch_id, w.language,
               (select h.updated_at from records h
                where h.branch_id = w.branch_id and h.language = w.language and h.unconfirmed_at is null
                  and h.updated_at < case when $6 - (($6 - 1 - w.at) / $7 + 1) * $7 > $5
                                          then $6 - (($6 - 1 - w.at) / $7 + 1) * $7 else $5 end
                order by h.updated_at desc limit 1)
        from walk w where w.at >= $5
    ),
    kept (branch_id, language, at) as (
        select w.branch_id, w.language, w.at from walk w
        union
        select w.branch_id, w.language,
               (select h.updated_at from records h
                where h.branch_id = w.branch_id and h.language = w.language and h.updated_at <= w.at
                  and h.lines_total > 0 and h.lines_total <= 1000000000000 and h.unconfirmed_at is null
                order by h.updated_at desc limit 1)
        from walk w
    )
    select k.branch_id, k.language, k.at, r.percentage_basis_points, r.lines_covered, r.lines_total
    from kept k
    cross join records r where r.branch_id = k.branch_id and r.language = k.language and r.updated_at = k.at
       and r.unconfirmed_at is null"
);

#[derive(FromRow)]
struct SeriesRow {
    #[sqlx(flatten, try_from = "RepositoryColumns")]
    repository: Repository,
    branch_id: i64,
    #[sqlx(rename = "branch_name", try_from = "Name<BranchName>")]
    branch: BranchName,
    #[sqlx(try_from = "Name<Language>")]
    language: Language,
    #[sqlx(try_from = "i64")]
    first_at: Timestamp,
    ended_at: Option<i64>,
}

#[derive(FromRow)]
struct StepRow {
    branch_id: i64,
    #[sqlx(try_from = "Name<Language>")]
    language: Language,
    #[sqlx(try_from = "i64")]
    at: Timestamp,
    #[sqlx(rename = "percentage_basis_points", try_from = "i64")]
    percentage: Percentage,
    #[sqlx(flatten, try_from = "LineColumns")]
    lines: Option<Count>,
}

impl Store {
    /// Returns an org with the values of its repositories in the requested period; none if the org has no uploads.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn org(&self, query: &OrgQuery) -> Result<Option<OrgHistory>, StoreError> {
        let now = now();
        let org = self.stored_org(&query.org).await?;
        // One more than the maximum, to know whether there are more.
        let mut rows = self.series(&org, MAX_SERIES + 1).await?;
        let has_more = rows.len() > usize::try_from(MAX_SERIES).unwrap_or(usize::MAX);
        rows.truncate(usize::try_from(MAX_SERIES).unwrap_or(usize::MAX));
        let today = Day::of(now);
        let all = first_days(rows.iter(), today);
        let active = first_days(rows.iter().filter(|row| row.ended_at.is_none()), today);
        let Some(beginning) = Beginning::of(&all, active) else {
            return Ok(None);
        };
        let period = query.period(beginning, today);
        let days = period.unwrap_or(Period {
            from: today,
            to: today,
        });
        let interval = Interval::of(days, rows.len());
        let mut steps = match period {
            Some(period) => self.steps(&org, period, interval).await?,
            None => HashMap::new(),
        };
        let series = rows.into_iter().map(|row| {
            let steps = steps.remove(&(row.branch_id, row.language.clone()));
            row.with(steps.unwrap_or_default())
        });
        Ok(Some(OrgHistory {
            org,
            now,
            first: beginning.first,
            period,
            interval,
            series: series.collect(),
            is_cut: has_more,
        }))
    }

    async fn series(&self, org: &OrgName, limit: i64) -> Result<Vec<SeriesRow>, StoreError> {
        let rows = sqlx::query_as(SERIES)
            .bind(org.as_str())
            .bind(first_below(org))
            .bind(first_after(org))
            .bind(limit)
            .fetch_all(&self.readers)
            .await?;
        Ok(rows)
    }

    async fn steps(
        &self,
        org: &OrgName,
        period: Period,
        interval: Interval,
    ) -> Result<HashMap<(i64, Language), Vec<Step>>, StoreError> {
        let length = i64::from(interval.days()) * (Day(1).start().0 - Day(0).start().0);
        let mut rows = sqlx::query_as::<_, StepRow>(STEPS)
            .bind(org.as_str())
            .bind(first_below(org))
            .bind(first_after(org))
            .bind(MAX_SERIES)
            .bind(period.from.end().0)
            .bind(period.to.end().0)
            .bind(length)
            .fetch(&self.readers);
        let mut steps: HashMap<(i64, Language), Vec<(Timestamp, Step)>> = HashMap::new();
        while let Some(row) = rows.try_next().await? {
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

/// Returns the day of each repository's first record, in any language.
fn first_days<'a>(rows: impl Iterator<Item = &'a SeriesRow>, today: Day) -> Vec<Day> {
    let mut days = BTreeMap::new();
    for row in rows {
        // A record from a clock that was ahead counts as of today.
        let day = Day::of(row.first_at).min(today);
        let first = days.entry(&row.repository).or_insert(day);
        *first = day.min(*first);
    }
    days.into_values().collect()
}

/// The lower bound of the names of all groups below an org.
fn first_below(org: &OrgName) -> String {
    format!("{org}/")
}

/// Their upper bound: `0` follows `/`.
fn first_after(org: &OrgName) -> String {
    format!("{org}0")
}

impl SeriesRow {
    fn with(self, steps: Vec<Step>) -> OrgSeries {
        OrgSeries {
            repository: self.repository,
            branch: self.branch,
            language: self.language,
            first: Day::of(self.first_at),
            ended: self.ended_at.map(|at| Day::of(Timestamp(at))),
            steps,
        }
    }
}
