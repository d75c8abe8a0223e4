//! The history of the lines of one file, as ranges.

use super::chain::Chain;
use crate::{Reader, Store, StoreError, blocking::blocking, paging::cut};
use ::lines::{Line, LineHistory, State};
use domain::{ChainRecord, LineRange, MissedSince, text::chain as causes};
use std::ops::RangeInclusive;

/// The maximum number of ranges of a file. No source file that people write has more.
const MAX_RANGES: usize = 10_000;

/// Consecutive lines of a file with the same history. Lines between them that are not coverable do not matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeHistory {
    /// The first and the last coverable line.
    pub lines: LineRange,
    /// The newest record that certainly did not have the lines; `None` if unknown.
    pub after: Option<ChainRecord>,
    /// The oldest record that certainly has the lines.
    pub at: Option<ChainRecord>,
    /// The newest record that ran the lines; `None` if no record is known to have run them.
    pub last_run: Option<ChainRecord>,
}

/// The history of the lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileHistory {
    /// The first ranges, at most 10,000.
    pub ranges: Vec<RangeHistory>,
    /// Whether there are more.
    pub has_more: bool,
}

impl Reader {
    /// Returns the history of the lines of a file; `None` if the lines have no history, or the record or the file does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if the lines are damaged.
    pub async fn file_history(
        &self,
        record_id: i64,
        path: &str,
    ) -> Result<Option<FileHistory>, StoreError> {
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(None);
        };
        let found = store
            .ranges(record_id, path, MAX_RANGES + 1, |_| true)
            .await?;
        let Some((chain, mut ranges)) = found else {
            return Ok(None);
        };
        let has_more = cut(&mut ranges, MAX_RANGES);
        let records = chain.records();
        let record = |id: i64| records.get(&id).cloned();
        let ranges = ranges.into_iter().map(|(lines, history)| RangeHistory {
            lines,
            after: history.origin.after.and_then(record),
            at: record(history.origin.at),
            last_run: history.last_run.and_then(record),
        });
        Ok(Some(FileHistory {
            ranges: ranges.collect(),
            has_more,
        }))
    }

    /// Returns since when the missed lines of a file in `window` have not run, at most `most` ranges. Empty if the lines have no
    /// history, or the record or the file does not exist. A damaged history is logged and counts as none.
    pub async fn missed_since(
        &self,
        record_id: i64,
        path: &str,
        window: RangeInclusive<u32>,
        most: usize,
    ) -> Result<Vec<MissedSince>, StoreError> {
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(Vec::new());
        };
        let is_shown =
            move |line: &Line| line.state() == State::Missed && window.contains(&line.number());
        let (chain, ranges) = match store.ranges(record_id, path, most, is_shown).await {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(Vec::new()),
            Err(error @ StoreError::Lines { .. }) => {
                tracing::error!(cause = causes(&error), "missed lines lack their history");
                return Ok(Vec::new());
            }
            Err(error) => return Err(error),
        };
        let since = chain.not_run_since();
        let missed = ranges.into_iter().map(|(lines, history)| MissedSince {
            lines,
            since: since(history),
        });
        Ok(missed.collect())
    }
}

impl Store {
    /// The first `most` ranges of lines of a file that `is_shown`, each with the same history, and the chain of the record. A line
    /// that is not shown ends a range.
    async fn ranges(
        &self,
        record_id: i64,
        path: &str,
        most: usize,
        is_shown: impl Fn(&Line) -> bool + Send + 'static,
    ) -> Result<Option<(Chain, Vec<(LineRange, LineHistory)>)>, StoreError> {
        let Some((lines, history)) = self.lines_with_history(record_id).await? else {
            return Ok(None);
        };
        let chain = Chain::of(self, record_id).await?;
        let (deleted, path) = (chain.deleted(), path.to_owned());
        let ranges = blocking(move || {
            let (_, file, of_file) = history.files(&lines).find(|(of, _, _)| *of == path)?;
            let mut ranges: Vec<(LineRange, LineHistory)> = Vec::new();
            let mut is_open = false;
            for (line, mut history) in file.lines().iter().zip(of_file) {
                if !is_shown(line) {
                    is_open = false;
                    continue;
                }
                history.origin = deleted.without(history.origin);
                let is_full = ranges.len() == most;
                match ranges.last_mut() {
                    Some(((_, last), same)) if is_open && *same == history => *last = line.number(),
                    _ if is_full => break,
                    _ => ranges.push(((line.number(), line.number()), history)),
                }
                is_open = true;
            }
            Some(ranges)
        });
        Ok(ranges.await?.map(|ranges| (chain, ranges)))
    }
}
