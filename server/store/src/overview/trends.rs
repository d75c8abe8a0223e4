//! The last weeks of the shown rows: one record for each day that has records.

use crate::{Reader, StoreError, metric::percentage_of, run::answered, sql::Sql};
use domain::{DAY, DayPoint, Percentage, StatedMetric, TREND_DAYS, Timestamp};
use std::collections::HashMap;

/// The points of a branch and language, oldest first.
pub(super) type Trends = HashMap<(i64, String), Vec<DayPoint>>;

impl Reader {
    /// Returns the trends of the branches and languages of these current records.
    pub(super) async fn trends(
        &self,
        records: &[i64],
        now: Timestamp,
        metric: StatedMetric,
    ) -> Result<Trends, StoreError> {
        let mut trends = Trends::new();
        if records.is_empty() {
            return Ok(trends);
        }
        let query = query(records, now, metric).rows()?;
        let rows = query.fetch_all(&self.within_found().read_pool);
        let rows: Vec<(i64, String, Timestamp, Option<Percentage>)> = answered(rows).await?;
        for (branch_id, language, at, percentage) in rows {
            let points = trends.entry((branch_id, language)).or_default();
            points.extend(percentage.map(|percentage| DayPoint { at, percentage }));
        }
        for points in trends.values_mut() {
            points.sort_by_key(|point| point.at);
            // Keep only the last of the older points: it is the value at the start of the period.
            let older = points.partition_point(|point| point.at.0 <= begin(now));
            points.drain(..older.saturating_sub(1));
        }
        Ok(trends)
    }
}

fn begin(now: Timestamp) -> i64 {
    now.0 - TREND_DAYS * DAY
}

/// Goes from the current record back to the newest record of an earlier day, until a record is older than all days of the period:
/// one step for each day, however many uploads it had. Days are counted back from now. Adds the first record of all.
///
/// With `cross join`, SQLite looks up each moment. Otherwise it reads the index of the whole history once.
pub(super) fn query(records: &[i64], now: Timestamp, metric: StatedMetric) -> Sql {
    let mut sql = Sql::new(
        "with recursive shown (branch_id, language, at) as (
             select r.branch_id, r.language, r.updated_at from records r where r.id in (",
    );
    sql.push_list(records.iter().copied()).push(
        ")
         ), steps (branch_id, language, at) as (
             select s.branch_id, s.language, s.at from shown s
             union all
             select t.branch_id, t.language,
                    (select max(h.updated_at) from records h
                     where h.branch_id = t.branch_id and h.language = t.language
                       and h.unconfirmed_at is null and h.updated_at <= ",
    )
    .push_bind(now.0)
    .push(" - ((")
    .push_bind(now.0)
    .push(" - t.at) / ")
    .push_bind(DAY)
    .push(" + 1) * ")
    .push_bind(DAY)
    .push(") from steps t where t.at > ")
    .push_bind(begin(now))
    .push(
        "
         ), moments (branch_id, language, at) as (
             select t.branch_id, t.language, t.at from steps t
             union
             select s.branch_id, s.language,
                    (select min(h.updated_at) from records h
                     where h.branch_id = s.branch_id and h.language = s.language and h.unconfirmed_at is null)
             from shown s
         )
         select h.branch_id, h.language, h.updated_at, ",
    )
    .push(&percentage_of(metric, "h"))
    .push(
        "
         from moments m
         cross join records h
         where h.branch_id = m.branch_id and h.language = m.language and h.updated_at = m.at and h.unconfirmed_at is null",
    );
    sql
}
