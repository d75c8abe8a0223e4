//! Reads the parts of a record, for its page and its summary.

use super::{completion::Completion, elsewhere::elsewhere};
use crate::{
    Store, StoreError, carry,
    run::Run,
    standing::{StoredKey, Trust},
};
use domain::{
    Count, PartContent, PartName, PartSet, Percentage, RecordPart, RecordParts, Timestamp,
};
use sqlx::FromRow;

pub(crate) const PARTS: &str = "
    select part, arrived_at, skip_reason, percentage_basis_points, covered, coverable, lines_covered, lines_total, tool,
           case when report_key is null then 0 else 1 end as has_report
    from record_parts where record_id = $1 order by part";

/// The parts that at least 8 of the last 10 complete records of the main branch have, and that this record lacks.
pub(crate) const USUAL: &str = "
    select q.part from (
        select h.id from records h
        where h.branch_id = (select p.main_branch_id from records r join repositories p on p.id = r.repository_id
                             where r.id = $1)
          and h.language = (select r.language from records r where r.id = $1)
          and h.unconfirmed_at is null and h.id <> $1
        order by h.updated_at desc limit 10) last
    join record_parts q on q.record_id = last.id
    where q.part <> '' and q.skip_reason is null
      and not exists (select 1 from record_parts o where o.record_id = $1 and o.part = q.part)
    group by q.part having count(*) >= 8
    order by q.part limit 50";

#[derive(FromRow)]
struct Row {
    #[sqlx(rename = "part")]
    name: PartName,
    arrived_at: Timestamp,
    skip_reason: Option<String>,
    percentage_basis_points: Option<i64>,
    covered: Option<i64>,
    coverable: Option<i64>,
    lines_covered: Option<i64>,
    lines_total: Option<i64>,
    tool: Option<String>,
    has_report: i64,
}

impl From<Row> for RecordPart {
    fn from(row: Row) -> Self {
        let stated = Count::of_columns(row.lines_covered, row.lines_total);
        let counted = Count::of_columns(row.covered, row.coverable);
        Self {
            name: row.name,
            at: row.arrived_at,
            content: match row.skip_reason {
                Some(reason) => PartContent::Skipped(reason),
                None => PartContent::Measured {
                    percentage: Percentage::from(row.percentage_basis_points.unwrap_or_default()),
                    lines: stated.or(counted),
                    tool: row.tool,
                    has_report: row.has_report != 0,
                },
            },
        }
    }
}

/// The record itself, which is the only part of a record without rows.
pub(crate) struct Alone {
    pub(crate) id: i64,
    pub(crate) updated_at: Timestamp,
    pub(crate) percentage: Percentage,
    pub(crate) has_report: bool,
}

impl Store {
    pub(crate) async fn parts_of(&self, alone: Alone) -> Result<RecordParts, StoreError> {
        let rows: Vec<Row> = self.all(PARTS, [alone.id]).await?;
        let usual: Vec<PartName> = self.values(USUAL, [alone.id]).await?;
        let mut connection = self.read_pool.acquire().await?;
        let completion = Completion::of_record(&mut connection, alone.id).await?;
        let key = match completion.expected.is_empty() {
            true => None,
            false => StoredKey::of_record(&mut connection, alone.id).await?,
        };
        let elsewhere = match key {
            Some(key) => {
                let (series, trust) = (key.series(), completion.trust());
                elsewhere(&mut connection, series, &key.commit, trust).await?
            }
            None => PartSet::default(),
        };
        drop(connection);
        let trust = completion.trust();
        let mut arrived: Vec<_> = rows.into_iter().map(RecordPart::from).collect();
        if arrived.is_empty() {
            arrived.push(RecordPart {
                name: PartName::default(),
                at: alone.updated_at,
                content: PartContent::Measured {
                    percentage: alone.percentage,
                    lines: None,
                    tool: None,
                    has_report: alone.has_report,
                },
            });
        }
        let carried = carry::of_record(self, alone.id).await?;
        let usual: PartSet = usual.into_iter().collect();
        let usual = usual.without(&carried.iter().map(|part| part.name.clone()).collect());
        Ok(RecordParts {
            carried,
            arrived,
            usual: match completion.closed_at {
                Some(_) => PartSet::default(),
                None => usual.without(&completion.expected),
            },
            elsewhere: elsewhere.without(&completion.only_here),
            expected: completion.expected,
            closed_at: completion.closed_at,
            unreported_since: completion.unreported_since,
            // A record without the right does not become current when the missing parts arrive.
            waits_until: completion
                .waits_until
                .filter(|_| trust != Trust::Unconfirmed),
        })
    }
}
