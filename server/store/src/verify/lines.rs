//! Checks whether the lines of records are readable.

use super::CheckedPage;
use crate::{Operator, Store, StoreError, blocking::blocking, run::Run};
use domain::PartName;
use futures::TryStreamExt;
use lines::{Limits, Lines};
use sqlx::FromRow;

/// Rows per query. The lines of each row may have megabytes.
const PAGE: i64 = 16;

/// The lines of the parts of a page of records, measured and carried.
const OF_PARTS: &str = "
    select record_id, part, covered, coverable, lines from record_parts
    where record_id > $1 and record_id <= $2 and lines is not null
    union all
    select record_id, part, covered, coverable, lines from carried_parts
    where record_id > $1 and record_id <= $2 and lines is not null
    order by record_id, part";

const LINES: &str = "
    select record_id, covered, coverable, lines from record_lines
    where record_id > $1 order by record_id limit $2";

#[derive(FromRow)]
struct PartRow {
    part: String,
    #[sqlx(flatten)]
    row: Row,
}

#[derive(FromRow)]
struct Row {
    record_id: i64,
    covered: i64,
    coverable: i64,
    lines: Vec<u8>,
}

impl Operator<'_> {
    /// Checks the lines of some records; `None` after the last record.
    pub async fn check_lines(self, after: i64) -> Result<Option<CheckedPage>, StoreError> {
        let rows: Vec<Row> = self.store.all(LINES, (after, PAGE)).await?;
        let Some(last) = rows.last() else {
            return Ok(None);
        };
        let (last, number) = (last.record_id, rows.len());
        let of_parts = self.store.unreadable_parts(after, last).await?;
        let checked = blocking(|| {
            let unreadable = rows
                .into_iter()
                .filter_map(|row| Some((row.record_id, unreadable(&row)?)));
            unreadable.chain(of_parts).collect()
        });
        Ok(Some(CheckedPage {
            last,
            rows: number,
            unreadable: checked.await?,
        }))
    }
}

impl Store {
    /// Checks the lines of parts of the records after `after` up to `last`, one part after another: each may have megabytes.
    async fn unreadable_parts(
        &self,
        after: i64,
        last: i64,
    ) -> Result<Vec<(i64, String)>, StoreError> {
        let query = sqlx::query_as::<_, PartRow>(OF_PARTS)
            .bind(after)
            .bind(last);
        let mut parts = query.fetch(&self.read_pool);
        let mut found = Vec::new();
        while let Some(part) = parts.try_next().await? {
            let check = move || {
                let problem = unreadable(&part.row)?;
                let name = PartName::try_from(part.part).unwrap_or_default();
                Some((part.row.record_id, format!("part {name}: {problem}")))
            };
            found.extend(blocking(check).await?);
        }
        Ok(found)
    }
}

fn unreadable(row: &Row) -> Option<String> {
    let lines = match Lines::decode(&row.lines, &Limits::default()) {
        Ok(lines) => lines,
        Err(error) => return Some(error.to_string()),
    };
    let counts = lines.counts();
    let is_equal = |stored: i64, counted: u64| u64::try_from(stored) == Ok(counted);
    let differs =
        !is_equal(row.covered, counts.covered()) || !is_equal(row.coverable, counts.coverable());
    differs.then(|| {
        let (covered, coverable) = (row.covered, row.coverable);
        format!(
            "{covered} of {coverable} lines are stored as covered, but {} of {} are",
            counts.covered(),
            counts.coverable()
        )
    })
}
