//! Reads lines of source files with their text, for pages that show code with its context.

use super::{
    RecordLines,
    source::{of_file, unreadable},
};
use crate::{Reader, StoreError};
use domain::{Excerpt, SourceLines, WantedLines};

impl Reader {
    /// Returns the code of wanted lines, in the same order: of at most [`Excerpt::MOST_FILES`] files. Files without text or lines are
    /// left out.
    ///
    /// # Errors
    ///
    /// If the database fails. Unreadable lines and texts count as not kept.
    pub async fn excerpts(&self, mut wanted: Vec<WantedLines>) -> Result<Vec<Excerpt>, StoreError> {
        wanted.truncate(Excerpt::MOST_FILES);
        let mut excerpts = Vec::new();
        for of_record in wanted.chunk_by(|one, next| one.record_id == next.record_id) {
            self.of_record(of_record, &mut excerpts).await?;
        }
        Ok(excerpts)
    }

    /// Adds the code of lines of one record.
    async fn of_record(
        &self,
        wanted: &[WantedLines],
        excerpts: &mut Vec<Excerpt>,
    ) -> Result<(), StoreError> {
        let Some(id) = wanted.first().map(|wanted| wanted.record_id) else {
            return Ok(());
        };
        let paths = wanted.iter().map(|wanted| wanted.path.clone());
        let texts = self.source_texts(id, paths.collect()).await?;
        if texts.iter().all(Option::is_none) {
            return Ok(());
        }
        let lines = match self.record_lines(id).await {
            Ok(Some(RecordLines::Kept { lines, .. })) => lines,
            Ok(Some(RecordLines::NotKept) | None) => return Ok(()),
            Err(error) => return unreadable(error).map(|_| ()),
        };
        let changes = match wanted.iter().any(|wanted| wanted.marks_changes) {
            true => self.within_found().changes_of(id).await?,
            false => None,
        };
        for (wanted, text) in wanted.iter().zip(texts) {
            let (Some(text), SourceLines::Known(known)) =
                (text, of_file(Some(&lines), &wanted.path))
            else {
                continue;
            };
            let changes = changes.as_ref().filter(|_| wanted.marks_changes);
            let changed = changes.map(|changes| super::source::changed_in(changes, &wanted.path));
            excerpts.push(Excerpt {
                wanted: wanted.clone(),
                text,
                known,
                changed: changed.unwrap_or_default(),
            });
        }
        Ok(())
    }
}
