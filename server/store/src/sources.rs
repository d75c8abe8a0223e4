//! The text of source files, as jobs send it. A repository has each text once. Each part of a record has a list that names the text
//! of each of its files; the list belongs to the lines of the record, and goes with them.

mod list;
mod moved;
mod reading;
mod sweep;
#[cfg(test)]
mod tests;
pub(crate) mod text;

pub(crate) use list::List;
pub(crate) use moved::{Exported, import};
pub(crate) use sweep::remove_unnamed;
pub use text::NewSource;

use crate::{StoreError, StoredFiles, Unsigned, revision, run::Run};
use domain::PartName;
use sqlx::AnyConnection;
use std::collections::HashMap;
use text::{AT_ONCE, Digest, Digests};

/// Returns the sources whose paths are among the files of a coverage file, sorted by path.
pub fn named(sources: Vec<NewSource>, files: &StoredFiles) -> Vec<NewSource> {
    let of_path = |source: NewSource| (source.path.clone(), source);
    let mut sources: HashMap<_, _> = sources.into_iter().map(of_path).collect();
    let mut named = Vec::new();
    // The list was encoded just now. If it cannot be read, the record has no files either.
    files
        .each(|path, _| named.extend(sources.remove(path)))
        .ok();
    named.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    named
}

/// Stores the sources of an uploaded part instead of those of an earlier upload of the part, within the transaction that publishes
/// it, which has locked the repository and stored the lines. Lists of parts that the record has no more are removed.
pub(crate) async fn store(
    connection: &mut AnyConnection,
    (repository_id, record_id): (i64, i64),
    part: &PartName,
    sources: &[NewSource],
) -> Result<(), StoreError> {
    const FORGET: &str = "
        delete from record_sources where record_id = $1 and part <> $2 and not exists (
            select 1 from record_parts q
            where q.record_id = $1 and q.part = record_sources.part and q.skip_reason is null)";
    const STORED: &str =
        "select paths, texts from record_sources where record_id = $1 and part = $2";
    const INSERT: &str = "
        insert into record_sources (record_id, part, repository_id, version, paths, texts)
        select $1, $2, $3, coalesce(max(s.version), 0) + 1, $4, $5 from record_sources s where s.repository_id = $3";
    let mut changed = connection.changed(FORGET, (record_id, part)).await? > 0;
    let texts = keep_texts(connection, repository_id, sources).await?;
    let files = sources.iter().filter_map(|source| {
        let id = texts.get(&source.digest)?;
        Some((source.path.as_str(), *id))
    });
    let list = List::of(files).map_err(StoreError::Packing)?;
    let stored: Option<List> = connection.first(STORED, (record_id, part)).await?;
    if stored != list {
        if stored.is_some() {
            remove(connection, record_id, part).await?;
        }
        if let Some(list) = &list {
            let values = (record_id, part, repository_id, &list.paths, &list.texts);
            connection.run(INSERT, values).await?;
        }
        changed = true;
    }
    match changed {
        true => revision::measure(connection, record_id).await,
        false => Ok(()),
    }
}

/// Removes the list of a part.
pub(crate) async fn remove(
    connection: &mut AnyConnection,
    record_id: i64,
    part: &PartName,
) -> Result<(), StoreError> {
    const DELETE: &str = "delete from record_sources where record_id = $1 and part = $2";
    connection.run(DELETE, (record_id, part)).await
}

/// Stores the texts that a locked repository does not have, and returns the ids of all. A text that was not sent and is not stored has
/// no id.
async fn keep_texts(
    connection: &mut AnyConnection,
    repository_id: i64,
    sources: &[NewSource],
) -> Result<HashMap<Digest, i64>, StoreError> {
    const KNOWN: &str = "
        select id, digest from source_texts where repository_id = $1
            and digest in ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
        order by id desc";
    const INSERT: &str = "
        insert into source_texts (repository_id, digest, bytes, text) values ($1, $2, $3, $4) returning id";
    let mut ids = HashMap::with_capacity(sources.len());
    for some in sources.chunks(AT_ONCE) {
        let known: Vec<(i64, Vec<u8>)> = connection
            .all(KNOWN, (repository_id, Digests(some)))
            .await?;
        // After a merge of repositories, a text may be there twice. The first one counts.
        for (id, digest) in known {
            if let Ok(digest) = Digest::try_from(digest) {
                ids.insert(digest, id);
            }
        }
        for source in some {
            if ids.contains_key(&source.digest) {
                continue;
            }
            let Some(text) = &source.text else { continue };
            let bytes = Unsigned(text.len() as u64);
            let values = (repository_id, source.digest.as_slice(), bytes, text);
            let id = connection.value(INSERT, values).await?;
            ids.insert(source.digest, id);
        }
    }
    Ok(ids)
}
