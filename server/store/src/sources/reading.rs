//! Reads the text of source files.

use super::{List, text::unpacked};
use crate::{Reader, StoreError, blocking::blocking, run::Run};
use domain::SourceText;

/// The newest list of a record first: two parts may send the same path.
const LISTS: &str =
    "select paths, texts from record_sources where record_id = $1 order by version desc";

const TEXT: &str = "select digest, text from source_texts where id = $1";

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
        let texts = self.source_texts(record_id, vec![path.to_owned()]).await?;
        Ok(texts.into_iter().flatten().next())
    }

    /// Like [`Self::source_text`], for several files: their texts, in the same order.
    pub(crate) async fn source_texts(
        &self,
        record_id: i64,
        paths: Vec<String>,
    ) -> Result<Vec<Option<SourceText>>, StoreError> {
        let mut texts = Vec::with_capacity(paths.len());
        let Some(store) = self.sees_record(record_id).await? else {
            return Ok(texts);
        };
        let lists: Vec<List> = store.all(LISTS, [record_id]).await?;
        if lists.is_empty() {
            return Ok(texts);
        }
        let find = move || {
            let mut ids = vec![None; paths.len()];
            for list in lists {
                list.find(&paths, &mut ids);
            }
            ids
        };
        for id in blocking(find).await? {
            let stored: Option<(Vec<u8>, Vec<u8>)> = match id {
                Some(id) => store.first(TEXT, [id]).await?,
                None => None,
            };
            let Some((digest, text)) = stored else {
                texts.push(None);
                continue;
            };
            let text = blocking(move || unpacked(&text, &digest)).await?;
            let text = text.inspect_err(|problem| {
                tracing::error!(record_id, "the text of a source file {problem}");
            });
            texts.push(text.ok().map(|text| SourceText(text.into())));
        }
        Ok(texts)
    }
}
