//! Lines that nothing runs.

use super::chain::Chain;
use crate::{
    Reader, Store, StoreError,
    blocking::blocking,
    run::Run,
    time::now,
    views::{ViewFiles, is_in},
};
use ::lines::LineHistory;
use domain::{ChainRecord, DAY, Language, LineRange, NewSince, Repository, ranges_of};
use std::cmp::Reverse;

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

pub(super) const NEWEST_OF_MAIN: &str = "
    select m.record_id from main_records m
    join repositories p on p.id = m.repository_id
    where p.name_key = $1 and m.language = $2";

impl Reader {
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
        view: Option<ViewFiles>,
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
        store.cold_lines(record_id, days, view).await
    }
}

impl Store {
    async fn cold_lines(
        &self,
        record_id: i64,
        days: u16,
        view: Option<ViewFiles>,
    ) -> Result<Option<Cold>, StoreError> {
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
            let files = history.files(&lines);
            let files = files.filter(|(path, ..)| is_in(view.as_ref(), path));
            let files = files.filter_map(|(path, file, of_lines)| {
                let is_cold = |history: &LineHistory| {
                    let has_run = history.last_run.is_some_and(|at| since.later.contains(&at));
                    let origin = deleted.without(history.origin);
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
