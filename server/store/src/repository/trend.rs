//! Trends of any length: finds the points that form the shape of a line, without reading every record.
//!
//! Returning 100,000 rows takes a database longer than scanning them, and scanning them takes longer than drawing the chart. So a
//! long history is first divided into spans of equal length. The database returns only the lowest and the highest record of each
//! span: from the table `trend_spans`, which has them for every 6 hours, and for a short period from a covering index. The
//! chart's points are then selected from these records (MinMaxLTTB: Donckt et al., 2023).

use crate::{
    Store, StoreError,
    run::{Run, answered},
    sql::Sql,
};
use domain::{BranchName, CHART_LINES, CHART_POINTS, DAY, Language, Series, Trend, TrendPoint};
use sqlx::AnyConnection;
use std::ops::Range;

/// The maximum number of lines that a chart can show distinctly.
const MOST_SERIES: usize = CHART_LINES;

/// The maximum number of languages of one branch to read.
pub(crate) const MOST_LANGUAGES: i64 = 24;

/// The maximum number of points to return: four for each point on a chart keep its shape.
const MOST_POINTS: usize = 4 * CHART_POINTS;

// The triggers of `trend_spans` have this number.
const _: () = assert!(MOST_POINTS == 1200);

/// Each span returns its lowest and its highest record.
const SPANS: i64 = MOST_POINTS as i64 / 2;

/// The length of a span of the table `trend_spans`.
const KEPT_SPAN: i64 = DAY / 4;

/// As many spans of the table have at least the points of a chart. A shorter period is read from the records.
const LEAST_KEPT_SPANS: i64 = CHART_POINTS as i64 / 2;

/// Whether a history has more than [`MOST_POINTS`] records: the time of the next one.
pub(crate) const NEXT: &str = "
    select r.updated_at from records r
    where r.branch_id = $1 and r.language = $2 and r.updated_at >= $3 and r.updated_at < $4 and r.unconfirmed_at is null
    order by r.updated_at
    limit 1 offset $5";

pub(crate) const FIRST: &str = "
    select r.id, r.updated_at from records r
    where r.branch_id = $1 and r.language = $2 and r.updated_at >= $3 and r.unconfirmed_at is null
    order by r.updated_at
    limit 1";

/// The languages that a branch ever had in confirmed records. Skips from one language to the next in an index.
pub(crate) const LANGUAGES: &str = "
    with recursive found (language) as (
        select min(r.language) from records r where r.branch_id = $1 and r.unconfirmed_at is null
        union all
        select (select min(r.language) from records r
                where r.branch_id = $1 and r.language > found.language and r.unconfirmed_at is null)
        from found where found.language is not null
    )
    select language from found where language is not null limit $2";

pub(crate) const POINTS: &str = "
    select r.id as record_id, r.commit_hash, r.commit_author, r.percentage_basis_points as percentage, r.updated_at as at,
           case when a.record_id is null then 0 else 1 end as has_failed
    from records r
    left join record_analyses a on a.record_id = r.id and a.verdict = 'failed'
    where r.branch_id = $1 and r.language = $2 and r.updated_at >= $3 and r.updated_at < $4 and r.unconfirmed_at is null
    order by r.updated_at
    limit $5";

pub(crate) const LAST: &str = "
    select r.id, r.updated_at from records r
    where r.branch_id = $1 and r.language = $2 and r.updated_at < $3 and r.unconfirmed_at is null
    order by r.updated_at desc
    limit 1";

/// The number of records in each span, and its lowest and highest record: percentage and id are combined in one number, so that
/// `min` and `max` find both. $3 is the first time, $4 the length of a span, $5 the last time. One row with all numbers takes
/// less time than a row for each span.
pub(crate) const BUCKETS: &str = "
    with recursive span (start) as (
        select $3
        union all
        select start + $4 from span where start + $4 <= $5
    )
    select string_agg((
        select count(*) || ' ' || min(r.percentage_basis_points * 562949953421312 + r.id)
                        || ' ' || max(r.percentage_basis_points * 562949953421312 + r.id)
        from records r
        where r.branch_id = $1 and r.language = $2 and r.updated_at >= span.start and r.updated_at < span.start + $4
          and r.updated_at <= $5 and r.unconfirmed_at is null
    ), ' ')
    from span";

/// The same of a longer period, whose first and last span of the table are $3 and $4. Each row unites $5 spans of the table.
pub(crate) const KEPT: &str = "
    select string_agg(n.records || ' ' || n.lowest || ' ' || n.highest, ' ')
    from (select sum(t.records) as records, min(t.lowest) as lowest, max(t.highest) as highest
          from trend_spans t
          where t.branch_id = $1 and t.language = $2 and t.span >= $3 and t.span <= $4
          group by t.span / $5) n";

/// The correct rows of `trend_spans` for some records `r`. The migration that created the table has the same query.
macro_rules! trend_spans {
    ($condition:literal) => {
        concat!(
            "select r.branch_id, r.language, r.updated_at / 21600000000 as span, count(*) as records,
                    min(r.percentage_basis_points * 562949953421312 + r.id) as lowest,
                    max(r.percentage_basis_points * 562949953421312 + r.id) as highest
             from records r where r.unconfirmed_at is null and ",
            $condition,
            " group by 1, 2, 3"
        )
    };
}

pub(crate) use trend_spans;

/// Computes the spans of a repository's long branches again.
pub(crate) async fn recount_spans(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    const CLEAR: &str = "
        delete from trend_spans where branch_id in (select b.id from branches b where b.repository_id = $1)";
    const FILL: &str = concat!(
        "insert into trend_spans (branch_id, language, span, records, lowest, highest) ",
        trend_spans!(
            "r.branch_id in (select b.id from branches b where b.repository_id = $1 and b.record_count >= 1200)"
        )
    );
    for statement in [CLEAR, FILL] {
        connection.run(statement, [repository_id]).await?;
    }
    Ok(())
}

/// The upper limit of ids in [`BUCKETS`] and [`KEPT`]: 2 to the power of 49.
const IDS: i64 = 562_949_953_421_312;

const IS_ACTIVE: &str = "
    select count(*) from records r
    where r.branch_id = $1 and r.language = $2 and r.superseded_at is null";

impl Store {
    /// Returns a series for each language of each of `branches`, as many as a chart can show distinctly. For branches after the
    /// first, returns only the languages that they share with the first, if any. `times` are microseconds.
    pub(super) async fn trend_of(
        &self,
        branches: &[(i64, BranchName)],
        language: Option<&Language>,
        times: &Range<i64>,
    ) -> Result<Trend, StoreError> {
        let (mut trend, mut first) = (Trend::default(), Vec::new());
        for (branch_id, branch) in branches {
            let mut languages = self.languages(*branch_id).await?;
            languages.retain(|own| language.is_none_or(|language| language == own));
            if languages.iter().any(|own| first.contains(own)) {
                languages.retain(|own| first.contains(own));
            }
            if first.is_empty() {
                first.clone_from(&languages);
            }
            for own in languages {
                if trend.series.len() == MOST_SERIES {
                    trend.hidden += 1;
                    continue;
                }
                let (points, records) = self.points(*branch_id, &own, times).await?;
                let is_active = self.is_active(*branch_id, &own).await?;
                trend.records += records;
                trend.series.push(Series {
                    branch: branch.clone(),
                    language: own,
                    points,
                    is_active,
                });
            }
        }
        Ok(trend)
    }

    pub(crate) async fn is_active(
        &self,
        branch_id: i64,
        language: &Language,
    ) -> Result<bool, StoreError> {
        let active: i64 = self.value(IS_ACTIVE, (branch_id, language)).await?;
        Ok(active > 0)
    }

    /// Returns the points that form the shape of one line, and the number of records that they represent.
    async fn points(
        &self,
        branch_id: i64,
        language: &Language,
        times: &Range<i64>,
    ) -> Result<(Vec<TrendPoint>, u64), StoreError> {
        let (start, end) = (times.start, times.end);
        let next = (branch_id, language, start, end, MOST_POINTS as i64);
        let next: Option<i64> = self.first_value(NEXT, next).await?;
        if next.is_some() {
            return self.extremes(branch_id, language, times).await;
        }
        let points = (branch_id, language, start, end, MOST_POINTS as i64);
        let points: Vec<_> = self.all(POINTS, points).await?;
        let records = points.len() as u64;
        Ok((points, records))
    }

    async fn extremes(
        &self,
        branch_id: i64,
        language: &Language,
        times: &Range<i64>,
    ) -> Result<(Vec<TrendPoint>, u64), StoreError> {
        let first = (branch_id, language, times.start);
        let (first_id, first): (i64, i64) = self.one(FIRST, first).await?;
        let (last_id, last): (i64, i64) = self.one(LAST, (branch_id, language, times.end)).await?;
        let length = (last - first) / SPANS + 1;
        // A period of whole days has whole spans of the table.
        let kept = (first / KEPT_SPAN, last / KEPT_SPAN);
        let mut numbers: Option<String> = None;
        if kept.1 - kept.0 >= LEAST_KEPT_SPANS {
            let united = length / KEPT_SPAN + 1;
            let values = (branch_id, language, kept.0, kept.1, united);
            numbers = self.value(KEPT, values).await?;
        }
        if numbers.is_none() {
            let values = (branch_id, language, first, length, last);
            numbers = self.value(BUCKETS, values).await?;
        }
        let numbers = numbers.unwrap_or_default();
        let numbers = numbers
            .split(' ')
            .map(|number| number.parse::<i64>().unwrap_or(0));
        let numbers: Vec<_> = numbers.collect();
        let (mut ids, mut records) = (vec![first_id, last_id], 0);
        for span in numbers.chunks(3) {
            let &[count, lowest, highest] = span else {
                continue;
            };
            records += u64::try_from(count).unwrap_or(0);
            ids.extend([lowest % IDS, highest % IDS]);
        }
        ids.sort_unstable();
        ids.dedup();
        let mut query = Sql::new(
            "select r.id as record_id, r.commit_hash, r.commit_author, r.percentage_basis_points as percentage, r.updated_at as at,
                    case when a.record_id is null then 0 else 1 end as has_failed
             from records r
             left join record_analyses a on a.record_id = r.id and a.verdict = 'failed'
             where r.id in (",
        );
        query.push_list(ids).push(") order by r.updated_at, r.id");
        // The same number of ids rarely occurs again, so do not cache the statement.
        let points = query.rows()?.persistent(false);
        Ok((answered(points.fetch_all(&self.read_pool)).await?, records))
    }
}
