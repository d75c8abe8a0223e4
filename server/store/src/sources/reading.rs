//! Reads the text of a source file.

use super::{List, text::unpacked};
use crate::{Reader, StoreError, blocking::blocking, run::Run};
use domain::SourceText;

/// The newest list of a record first: two parts may send the same path.
const LISTS: &str =
    "select paths, texts from record_sources where record_id = $1 order by version desc";

impl Reader {
    /// Returns the text of a source file of a record, as its job sent it; `None` if it is not stored. Damage is logged, and counts
    /// as not stored.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn source_text(
        &self,
        record_id: i64,
        path: &str,
    ) -> Result<Option<SourceText>, StoreError> {
        const TEXT: &str = "select digest, text from source_texts where id = $1";
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(None);
        };
        let lists: Vec<List> = store.all(LISTS, [record_id]).await?;
        let path = path.to_owned();
        let find = move || lists.iter().find_map(|list| list.find(&path));
        let Some(id) = blocking(find).await? else {
            return Ok(None);
        };
        let stored: Option<(Vec<u8>, Vec<u8>)> = store.first(TEXT, [id]).await?;
        let Some((digest, text)) = stored else {
            return Ok(None);
        };
        let text = blocking(move || unpacked(&text, &digest)).await?;
        let text = text.inspect_err(|problem| {
            tracing::error!(record_id, "the text of a source file {problem}");
        });
        Ok(text.ok().map(|text| SourceText(text.into())))
    }
}
