//! Checks whether each text of a source file that a record names is stored and readable.

use super::CheckedPage;
use crate::{
    Operator, Store, StoreError,
    blocking::blocking,
    run::Run,
    sources::{List, text::unpacked},
};
use sqlx::FromRow;
use std::collections::HashSet;

/// The lists of the next record.
const LISTS: &str = "
    select record_id, version, paths, texts from record_sources
    where record_id = (select min(n.record_id) from record_sources n where n.record_id > $1)";

#[derive(FromRow)]
struct Row {
    record_id: i64,
    version: i64,
    #[sqlx(flatten)]
    list: List,
}

/// A check of all texts, record by record. Each text is read once.
#[derive(Debug)]
pub struct SourceCheck<'a> {
    store: &'a Store,
    seen: HashSet<i64>,
}

impl<'a> Operator<'a> {
    /// Starts a check of all texts of source files.
    pub fn source_check(self) -> SourceCheck<'a> {
        SourceCheck {
            store: self.store,
            seen: HashSet::new(),
        }
    }
}

impl SourceCheck<'_> {
    /// Checks the texts of the record after a record; `None` after the last record.
    pub async fn next(&mut self, after: i64) -> Result<Option<CheckedPage>, StoreError> {
        let lists: Vec<Row> = self.store.all(LISTS, [after]).await?;
        let Some(last) = lists.last().map(|row| row.record_id) else {
            return Ok(None);
        };
        let mut page = CheckedPage {
            last,
            rows: lists.len(),
            unreadable: Vec::new(),
        };
        for row in lists {
            match row.list.files() {
                Some(files) => {
                    for (path, id) in files {
                        if self.seen.insert(id)
                            && let Some(problem) = self.problem(&row, id).await?
                        {
                            let detail = format!("the text of {path} {problem}");
                            page.unreadable.push((last, detail));
                        }
                    }
                }
                None => {
                    let detail = "the list of its source files cannot be read".to_owned();
                    page.unreadable.push((last, detail));
                }
            }
        }
        Ok(Some(page))
    }

    async fn problem(&self, row: &Row, id: i64) -> Result<Option<&'static str>, StoreError> {
        const TEXT: &str = "select digest, text from source_texts where id = $1";
        const STILL: &str =
            "select count(*) from record_sources where record_id = $1 and version = $2";
        let stored: Option<(Vec<u8>, Vec<u8>)> = self.store.first(TEXT, [id]).await?;
        if let Some((digest, text)) = stored {
            return blocking(move || unpacked(&text, &digest).err()).await;
        }
        // An upload or a sweep may have removed both meanwhile.
        let still: i64 = self
            .store
            .value(STILL, (row.record_id, row.version))
            .await?;
        Ok((still > 0).then_some("is missing"))
    }
}
