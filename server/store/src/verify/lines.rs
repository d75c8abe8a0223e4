//! Checks whether the lines of records are readable.

use super::CheckedPage;
use crate::{Operator, Store, StoreError, blocking::blocking, run::Run};
use domain::PartName;
use futures::TryStreamExt;
use lines::{DecodeError, History, Limits, Lines, NamedBranches, OriginCounts, TestSets};
use sqlx::FromRow;

/// Rows per query. The lines of each row may have megabytes.
const PAGE: i64 = 16;

/// The lines of the parts of a page of records, measured and carried.
const OF_PARTS: &str = "
    select record_id, part, covered, coverable, lines, branches, tests from record_parts
    where record_id > $1 and record_id <= $2 and lines is not null
    union all
    select record_id, part, covered, coverable, lines, null, null from carried_parts
    where record_id > $1 and record_id <= $2 and lines is not null
    order by record_id, part";

/// With the history of the lines, if it is of these lines.
const LINES: &str = "
    select l.record_id, l.covered, l.coverable, l.lines, l.branches, l.tests, h.history, h.counts from record_lines l
    join records r on r.id = l.record_id
    left join record_histories h on h.record_id = l.record_id and h.revision = r.revision
    where l.record_id > $1 order by l.record_id limit $2";

#[derive(FromRow)]
struct RecordRow {
    #[sqlx(flatten)]
    row: Row,
    history: Option<Vec<u8>>,
    counts: Option<Vec<u8>>,
}

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
    branches: Option<Vec<u8>>,
    tests: Option<Vec<u8>>,
}

impl Operator<'_> {
    /// Checks the lines of some records; `None` after the last record.
    pub async fn check_lines(self, after: i64) -> Result<Option<CheckedPage>, StoreError> {
        let rows: Vec<RecordRow> = self.store.all(LINES, (after, PAGE)).await?;
        let Some(last) = rows.last() else {
            return Ok(None);
        };
        let (last, number) = (last.row.record_id, rows.len());
        let of_parts = self.store.unreadable_parts(after, last).await?;
        let checked = blocking(|| {
            let unreadable = rows
                .into_iter()
                .filter_map(|row| Some((row.row.record_id, row.unreadable()?)));
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
                let problem = part.row.lines().err()?;
                let name = PartName::try_from(part.part).unwrap_or_default();
                Some((part.row.record_id, format!("part {name}: {problem}")))
            };
            found.extend(blocking(check).await?);
        }
        Ok(found)
    }
}

impl RecordRow {
    /// Why the lines or their history are not readable.
    fn unreadable(&self) -> Option<String> {
        let lines = match self.row.lines() {
            Ok(lines) => lines,
            Err(problem) => return Some(problem),
        };
        let limits = Limits::default();
        let history = self.history.as_deref().map(|blob| {
            let history = History::decode(blob, &lines, &limits)?;
            Ok((
                history.counts(&lines),
                OriginCounts::decode(self.counts.as_deref().unwrap_or_default(), &limits)?,
            ))
        });
        match history? {
            Ok((counted, stored)) if counted == stored => None,
            Ok(_) => Some("the counts of its history are not of these lines".to_owned()),
            Err::<_, DecodeError>(error) => Some(format!("its history: {error}")),
        }
    }
}

impl Row {
    /// The lines, or why they, their branches or their tests are not readable.
    fn lines(&self) -> Result<Lines, String> {
        let lines = Lines::decode(&self.lines, &Limits::default());
        let lines = lines.map_err(|error| error.to_string())?;
        if let Some(blob) = &self.branches {
            let branches = NamedBranches::decode(blob, &Limits::default());
            branches.map_err(|error| format!("its branches: {error}"))?;
        }
        if let Some(blob) = &self.tests {
            let tests = TestSets::decode(blob, &Limits::default());
            tests.map_err(|error| format!("its tests: {error}"))?;
        }
        let counts = lines.counts();
        let is_equal = |stored: i64, counted: u64| u64::try_from(stored) == Ok(counted);
        let (covered, coverable) = (self.covered, self.coverable);
        if is_equal(covered, counts.covered()) && is_equal(coverable, counts.coverable()) {
            return Ok(lines);
        }
        Err(format!(
            "{covered} of {coverable} lines are stored as covered, but {} of {} are",
            counts.covered(),
            counts.coverable()
        ))
    }
}
