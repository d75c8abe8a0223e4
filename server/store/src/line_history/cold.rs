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
use domain::{Cold, ColdFile, ColdList, ColdQuery, DAY, Language, NewSince, Repository, ranges_of};
use std::cmp::Reverse;

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

const LANGUAGES: &str = "
    select m.language from main_records m
    join repositories p on p.id = m.repository_id
    where p.name_key = $1
    order by m.language limit 24";

impl Reader {
    /// Returns the cold lines of a repository for its page; `None` if it has no uploads. An unknown view has no files.
    pub async fn cold_list(
        &self,
        repository: &Repository,
        query: &ColdQuery,
    ) -> Result<Option<ColdList>, StoreError> {
        let (Some(store), Some(stored)) = (
            self.sees(repository),
            self.stored_repository(repository).await?,
        ) else {
            return Ok(None);
        };
        let languages: Vec<Language> = store.values(LANGUAGES, [repository]).await?;
        let chosen = query.language.as_ref();
        let chosen = languages.iter().find(|language| Some(*language) == chosen);
        let language = chosen.or(languages.first()).cloned();
        let view = match &query.view {
            Some(view) => self.view(repository, view).await?,
            None => None,
        };
        let is_unknown_view = query.view.is_some() && view.is_none();
        let days = query.days.unwrap_or_default().days();
        let mut cold = match &language {
            Some(language) => self.cold(repository, language, days, view).await?,
            None => None,
        };
        if let Some(cold) = cold.as_mut().filter(|_| is_unknown_view) {
            cold.files.clear();
        }
        let definitions = store.definitions(repository).await?;
        let files = cold.iter().flat_map(|cold| &cold.files);
        let paths = files
            .take(ColdList::MAX_FILES)
            .map(|file| file.path.clone());
        let paths: Vec<_> = paths.collect();
        let owners = blocking(move || definitions.owners_of(&paths, ColdList::MAX_OWNERS));
        Ok(Some(ColdList {
            owners: owners.await?,
            repository: stored,
            languages,
            language,
            cold,
        }))
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
        let not_run_since = chain.not_run_since();
        let files = blocking(move || {
            // The history of a cold line.
            let cold = |mut history: LineHistory| {
                history.origin = deleted.without(history.origin);
                let has_run = history.last_run.is_some_and(|at| since.later.contains(&at));
                let is_old = since.is_new(history.origin) == Some(false);
                (!has_run && is_old).then_some(history)
            };
            // The line that ran last comes last. A line that may have run before the history begins is after lines that never did.
            let by_last_run = |history: &LineHistory| {
                let time = |id| records.get(&id).map(|record| record.created_at.0);
                let came = || time(history.origin.at).map(|time| -time);
                match (history.last_run, history.origin.after) {
                    (Some(last), _) => (2, time(last)),
                    (None, None) => (1, came()),
                    (None, Some(_)) => (0, came()),
                }
            };
            let files = history.files_with(&lines, cold);
            let files = files.filter(|(path, ..)| is_in(view.as_ref(), path));
            let files = files.filter_map(|(path, file, of_lines)| {
                let cold = file.lines().iter().zip(of_lines);
                let cold: Vec<_> = cold
                    .filter_map(|(line, cold)| Some((line, cold?)))
                    .collect();
                let histories = cold.iter().map(|(_, history)| *history);
                let last = histories.max_by_key(by_last_run)?;
                Some(ColdFile {
                    path: path.to_owned(),
                    coverable: file.lines().len() as u64,
                    cold: cold.len() as u64,
                    ranges: ranges_of(cold.iter().map(|(line, _)| line.number())),
                    since: not_run_since(last),
                })
            });
            let mut files: Vec<_> = files.collect();
            files.sort_by_key(|file| Reverse(file.cold));
            files
        });
        Ok(Some(Cold {
            record_id,
            begins_at,
            known_days: u64::try_from((now.0 - begins_at.0) / DAY).unwrap_or_default(),
            files: files.await?,
        }))
    }
}
