//! Reads histories: of the lines of a file, of new lines, and of lines that nothing runs.

use super::{
    chain::{Chain, SinceRecord},
    keep::REVISION,
};
use crate::{Reader, Store, StoreError, blocking::blocking, run::Run, time::now};
use ::lines::{FileLines, Line, LineHistory, Origin, State};
use domain::{
    ChainRecord, DAY, Language, LineRange, MissedSince, NewSince, NotRunSince, Repository,
    ranges_of,
};
use std::{cmp::Reverse, collections::HashMap};

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

/// The new lines of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewFile {
    /// The path.
    pub path: String,
    /// New lines that ran.
    pub covered: u64,
    /// All new lines.
    pub coverable: u64,
    /// Lines that may be new.
    pub unknown: u64,
    /// New lines that did not run.
    pub missed: Vec<LineRange>,
}

/// The lines of a record that are new since a position in its chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewCode {
    /// The files with new lines, or lines that may be new, by path.
    Known(SinceRecord, Vec<NewFile>),
    /// The lines of the record have no history.
    NoHistory,
    /// There is no such record or commit.
    UnknownSince,
}

/// A file with lines that nothing runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColdFile {
    /// The path.
    pub path: String,
    /// All coverable lines.
    pub coverable: u64,
    /// The number of cold lines.
    pub cold: u64,
    /// The cold lines.
    pub ranges: Vec<LineRange>,
    /// The newest record that ran a cold line; `None` if no record is known to have run one.
    pub last_run: Option<ChainRecord>,
}

/// The lines of a main branch that are not new, and that nothing has run for some days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cold {
    /// How many days the history goes back.
    pub known_days: u64,
    /// The files, the one with the most cold lines first.
    pub files: Vec<ColdFile>,
}

pub(crate) const NEWEST_OF_MAIN: &str = "
    select m.record_id from main_records m
    join repositories p on p.id = m.repository_id
    where p.name_key = $1 and m.language = $2";

impl Reader {
    /// Returns the history of the lines of a file as ranges; `None` if the lines have no history, or the record or the file does
    /// not exist.
    pub async fn file_history(
        &self,
        record_id: i64,
        path: &str,
    ) -> Result<Option<Vec<RangeHistory>>, StoreError> {
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(None);
        };
        let Some((chain, ranges)) = store.ranges(record_id, path, |_| true).await? else {
            return Ok(None);
        };
        let records = chain.records();
        let record = |id: i64| records.get(&id).cloned();
        let ranges = ranges.into_iter().map(|(lines, history)| RangeHistory {
            lines,
            after: history.origin.after.and_then(record),
            at: record(history.origin.at),
            last_run: history.last_run.and_then(record),
        });
        Ok(Some(ranges.collect()))
    }

    /// Returns since when the missed lines of a file have not run, at most `most` ranges. Empty if the lines have no history, or
    /// the record or the file does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if the lines are damaged.
    pub async fn missed_since(
        &self,
        record_id: i64,
        path: &str,
        most: usize,
    ) -> Result<Vec<MissedSince>, StoreError> {
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(Vec::new());
        };
        let is_missed = |line: &Line| line.state() == State::Missed;
        let Some((chain, ranges)) = store.ranges(record_id, path, is_missed).await? else {
            return Ok(Vec::new());
        };
        let (records, next) = (chain.records(), chain.next());
        let record = |id: i64| records.get(&id).cloned();
        let since = |LineHistory { origin, last_run }| match last_run.and_then(record) {
            Some(last) => {
                let next = next.get(&last.id).and_then(|&next| record(next));
                Some(NotRunSince::LastRun(last, next))
            }
            None if origin.after.is_some() => record(origin.at).map(NotRunSince::Came),
            None => record(origin.at).map(NotRunSince::HistoryBegins),
        };
        let missed = ranges.into_iter().filter_map(|(lines, history)| {
            let since = since(history)?;
            Some(MissedSince { lines, since })
        });
        Ok(missed.take(most).collect())
    }

    /// Returns the lines of a record that are new since a position; `None` if the record does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if the lines are damaged.
    pub async fn new_lines(
        &self,
        record_id: i64,
        since: &NewSince,
    ) -> Result<Option<NewCode>, StoreError> {
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(None);
        };
        let revision: Option<i64> = store.first_value(REVISION, [record_id]).await?;
        if revision.is_none() {
            return Ok(None);
        }
        let Some((lines, history)) = store.lines_with_history(record_id).await? else {
            return Ok(Some(NewCode::NoHistory));
        };
        let chain = Chain::of(store, record_id).await?;
        let Some(position) = chain.since(store, record_id, since, now()).await? else {
            return Ok(Some(NewCode::UnknownSince));
        };
        let (deleted, since) = (chain.deleted(), position.since.clone());
        let files = blocking(move || {
            let files = history.files(&lines).map(|(path, file, of_lines)| {
                let is_new =
                    |history: LineHistory| since.is_new(existing(&deleted, history.origin));
                new_file(path, file, of_lines.map(is_new))
            });
            let has_some = |file: &NewFile| file.coverable > 0 || file.unknown > 0;
            files.filter(has_some).collect()
        });
        Ok(Some(NewCode::Known(position, files.await?)))
    }

    /// Returns the lines of the newest record of a main branch that are not new and did not run for `days`; `None` if there is no
    /// such record, or if its lines have no history.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if the lines are damaged.
    pub async fn cold(
        &self,
        repository: &Repository,
        language: &Language,
        days: u16,
    ) -> Result<Option<Cold>, StoreError> {
        let Some(store) = self.sees(repository) else {
            return Ok(None);
        };
        let newest: Option<i64> = store
            .first_value(NEWEST_OF_MAIN, (repository, language))
            .await?;
        let Some(record_id) = newest else {
            return Ok(None);
        };
        store.cold_lines(record_id, days).await
    }
}

impl Store {
    /// The lines of a file that `is_shown`, as ranges with the same history, and the chain of the record. A line that is not shown
    /// ends a range.
    async fn ranges(
        &self,
        record_id: i64,
        path: &str,
        is_shown: impl Fn(&Line) -> bool,
    ) -> Result<Option<(Chain, Vec<(LineRange, LineHistory)>)>, StoreError> {
        let Some((lines, history)) = self.lines_with_history(record_id).await? else {
            return Ok(None);
        };
        let found = history.files(&lines).find(|(of, _, _)| *of == path);
        let Some((_, file, of_file)) = found else {
            return Ok(None);
        };
        let chain = Chain::of(self, record_id).await?;
        let deleted = chain.deleted();
        let mut ranges: Vec<(LineRange, LineHistory)> = Vec::new();
        let mut is_open = false;
        for (line, mut history) in file.lines().iter().zip(of_file) {
            if !is_shown(line) {
                is_open = false;
                continue;
            }
            history.origin = existing(&deleted, history.origin);
            match ranges.last_mut() {
                Some(((_, last), same)) if is_open && *same == history => *last = line.number(),
                _ => ranges.push(((line.number(), line.number()), history)),
            }
            is_open = true;
        }
        Ok(Some((chain, ranges)))
    }

    async fn cold_lines(&self, record_id: i64, days: u16) -> Result<Option<Cold>, StoreError> {
        let Some((lines, history)) = self.lines_with_history(record_id).await? else {
            return Ok(None);
        };
        let (chain, now) = (Chain::of(self, record_id).await?, now());
        let position = chain
            .since(self, record_id, &NewSince::Days(days), now)
            .await?;
        let Some(position) = position else {
            return Ok(None);
        };
        let begins_at = chain.begins_at().unwrap_or(now);
        let (deleted, records, since) = (chain.deleted(), chain.records(), position.since);
        let files = blocking(move || {
            let files = history.files(&lines).filter_map(|(path, file, of_lines)| {
                let is_cold = |history: &LineHistory| {
                    let has_run = history.last_run.is_some_and(|at| since.later.contains(&at));
                    let origin = existing(&deleted, history.origin);
                    !has_run && since.is_new(origin) == Some(false)
                };
                let cold = file.lines().iter().zip(of_lines);
                let cold: Vec<_> = cold.filter(|(_, history)| is_cold(history)).collect();
                let last_runs = cold
                    .iter()
                    .filter_map(|(_, history)| records.get(&history.last_run?));
                let last_run = last_runs.max_by_key(|record| record.created_at).cloned();
                (!cold.is_empty()).then(|| ColdFile {
                    path: path.to_owned(),
                    coverable: file.lines().len() as u64,
                    cold: cold.len() as u64,
                    ranges: ranges_of(cold.iter().map(|(line, _)| line.number())),
                    last_run,
                })
            });
            let mut files: Vec<_> = files.collect();
            files.sort_by_key(|file| Reverse(file.cold));
            files
        });
        Ok(Some(Cold {
            known_days: u64::try_from((now.0 - begins_at.0) / DAY).unwrap_or_default(),
            files: files.await?,
        }))
    }
}

/// What a deleted record brought has the next record as `at`, and an unknown beginning.
pub(super) fn existing(deleted: &HashMap<i64, i64>, origin: Origin) -> Origin {
    match deleted.get(&origin.at) {
        Some(&at) => Origin { after: None, at },
        None => origin,
    }
}

fn new_file(path: &str, file: &FileLines, are_new: impl Iterator<Item = Option<bool>>) -> NewFile {
    let mut new = NewFile {
        path: path.to_owned(),
        ..NewFile::default()
    };
    let mut missed = Vec::new();
    for (line, is_new) in file.lines().iter().zip(are_new) {
        match (is_new, line.state()) {
            (Some(false), _) => {}
            (None, _) => new.unknown += 1,
            (Some(true), State::Missed) => {
                new.coverable += 1;
                missed.push(line.number());
            }
            (Some(true), _) => {
                new.coverable += 1;
                new.covered += 1;
            }
        }
    }
    new.missed = ranges_of(missed);
    new
}
