//! The new lines of a record.

use super::{chain::Chain, keep::REVISION};
use crate::{
    Reader, StoreError,
    blocking::blocking,
    run::Run,
    time::now,
    views::{ViewFiles, is_in},
};
use ::lines::{FileLines, LineHistory, State};
use domain::{ChainRecord, LineRange, NewSince, ranges_of};

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
    /// The newest record that is not after the position, if there is one; and the files with new lines, or lines that may be new,
    /// by path.
    Known(Option<ChainRecord>, Vec<NewFile>),
    /// The lines of the record have no history.
    NoHistory,
    /// There is no such record or commit.
    UnknownSince,
}

impl Reader {
    /// Returns the lines of a record that are new since a position, by default the one in the settings of the main branch; only of
    /// files in `view`, if given. `None` if the record does not exist.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if the lines are damaged.
    pub async fn new_lines(
        &self,
        record_id: i64,
        since: Option<&NewSince>,
        view: Option<ViewFiles>,
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
        let since = match since {
            Some(since) => since.clone(),
            None => store.new_since_of(record_id).await?,
        };
        let since = &since;
        let Some(position) = chain.since(store, record_id, since, now()).await? else {
            return Ok(Some(NewCode::UnknownSince));
        };
        let (deleted, since) = (chain.deleted(), position.since);
        let files = blocking(move || {
            let is_new = |history: LineHistory| since.is_new(deleted.without(history.origin));
            let files = history.files_with(&lines, is_new);
            let files = files.filter(|(path, ..)| is_in(view.as_ref(), path));
            let files = files.map(|(path, file, are_new)| new_file(path, file, are_new));
            let has_some = |file: &NewFile| file.coverable > 0 || file.unknown > 0;
            files.filter(has_some).collect()
        });
        Ok(Some(NewCode::Known(position.record, files.await?)))
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
