//! The source text of records for export and import. A file has each text once for each repository, with the first record that
//! names it.

use super::{List, NewSource, keep_texts, store, text::Digest};
use crate::{Store, StoreError, run::Run};
use domain::PartName;
use sqlx::AnyConnection;
use std::collections::{BTreeMap, HashMap};

/// The most bytes of the packed texts of a record: more than one upload may bring. A line of the file has a limit too.
const MOST_BYTES: usize = 64 << 20;

/// The texts of a repository that are exported already: their digests by their ids.
#[derive(Debug, Default)]
pub(crate) struct Exported(HashMap<i64, Digest>);

impl Exported {
    /// Returns the sources of a record, the union of its parts. Damaged data is logged and left out.
    pub(crate) async fn of_record(
        &mut self,
        store: &Store,
        record_id: i64,
    ) -> Result<Vec<NewSource>, StoreError> {
        const LISTS: &str =
            "select paths, texts from record_sources where record_id = $1 order by version";
        const TEXT: &str = "select digest, text from source_texts where id = $1";
        let lists: Vec<List> = store.all(LISTS, [record_id]).await?;
        // The newest list counts, as on pages.
        let mut files = BTreeMap::new();
        for list in &lists {
            match list.files() {
                Some(of_part) => files.extend(of_part),
                None => tracing::error!(
                    record_id,
                    "a list of source files cannot be read; run verify"
                ),
            }
        }
        let (mut sources, mut bytes) = (Vec::with_capacity(files.len()), 0);
        for (path, id) in files {
            if let Some(&digest) = self.0.get(&id) {
                let text = None;
                sources.push(NewSource { path, digest, text });
                continue;
            }
            let stored: Option<(Vec<u8>, Vec<u8>)> = store.first(TEXT, [id]).await?;
            let read = stored.and_then(|(digest, text)| Some((digest.try_into().ok()?, text)));
            let Some((digest, text)) = read else {
                tracing::error!(
                    record_id,
                    path,
                    "the text of a source file is missing; run verify"
                );
                continue;
            };
            bytes += text.len();
            if bytes > MOST_BYTES {
                tracing::warn!(record_id, path, "the text of a source file is not exported");
                continue;
            }
            self.0.insert(id, digest);
            let text = Some(text);
            sources.push(NewSource { path, digest, text });
        }
        Ok(sources)
    }
}

/// Stores the sources of an imported record; of a record that exists already, only the texts, which later records may name.
pub(crate) async fn import(
    connection: &mut AnyConnection,
    repository_id: i64,
    record_id: Option<i64>,
    sources: &[NewSource],
) -> Result<(), StoreError> {
    match record_id {
        Some(id) => {
            store(
                connection,
                (repository_id, id),
                &PartName::default(),
                sources,
            )
            .await
        }
        None => keep_texts(connection, repository_id, sources)
            .await
            .map(drop),
    }
}
