//! Lines of a main branch whose state changes without a reason: they are searched after each upload to the branch, and stored.

mod page;
mod reruns;
mod search;

#[cfg(test)]
pub(super) use page::OF_REPOSITORY;
#[cfg(test)]
pub(super) use search::NEWEST;

use super::{Store, StoreError, run::Run};
use ::lines::{Flicker, FlickeringFile};
use std::io::Read;

/// The maximum number of stored lines, from the first files on.
const MAX_LINES: usize = 100_000;

/// The maximum size of the paths of the stored files, in bytes.
const MAX_PATH_BYTES: usize = 1 << 20;

/// A list that unpacks to more bytes is not read. JSON takes up to six bytes for a byte of a path.
const MAX_UNPACKED_BYTES: u64 = 8 << 20;

/// The compression level: fast.
const LEVEL: i32 = 1;

const KEEP: &str = "
    insert into flickering_lines (repository_id, language, record_id, records, files)
    select r.repository_id, r.language, r.id, $2, $3 from records r where r.id = $1
    on conflict (repository_id, language) do update set
        record_id = excluded.record_id,
        records = excluded.records,
        files = excluded.files";

pub(super) const KNOWN: &str =
    "select f.files from flickering_lines f where f.repository_id = $1 and f.language = $2";

/// A stored file: its path, its fingerprint, its lines, and the records that show that they flicker.
type StoredFile = (String, u32, Vec<u32>, Vec<i64>);

async fn keep(store: &Store, newest: i64, records: i64, found: &Flicker) -> Result<(), StoreError> {
    let Some(packed) = packed(found) else {
        return Ok(());
    };
    let mut transaction = store.begin().await?;
    transaction.execute(KEEP, (newest, records, packed)).await?;
    transaction.commit().await
}

/// The lines of a main branch that are known to flicker, in this language; `None` if there are none.
pub(super) async fn known(
    store: &Store,
    repository_id: i64,
    language: &str,
) -> Result<Option<Flicker>, StoreError> {
    let packed: Option<Vec<u8>> = store.first_value(KNOWN, (repository_id, language)).await?;
    let known = packed.and_then(|packed| unpacked(&packed));
    Ok(known.filter(|known| known.files().len() > 0))
}

fn packed(found: &Flicker) -> Option<Vec<u8>> {
    let (mut lines, mut bytes) = (MAX_LINES, MAX_PATH_BYTES);
    let files = found.files().map_while(|(path, file)| {
        lines = lines.checked_sub(file.lines.len())?;
        bytes = bytes.checked_sub(path.len())?;
        let (lines, records) = (file.lines.clone(), file.records.clone());
        Some((path.to_owned(), file.fingerprint, lines, records))
    });
    let files: Vec<StoredFile> = files.collect();
    let json = serde_json::to_vec(&files).ok()?;
    zstd::encode_all(&*json, LEVEL).ok()
}

/// `None` if this release cannot read it.
fn unpacked(packed: &[u8]) -> Option<Flicker> {
    let decoder = zstd::Decoder::new(packed).ok()?;
    let mut json = Vec::new();
    decoder
        .take(MAX_UNPACKED_BYTES)
        .read_to_end(&mut json)
        .ok()?;
    let files: Vec<StoredFile> = serde_json::from_slice(&json).ok()?;
    let files = files
        .into_iter()
        .map(|(path, fingerprint, lines, records)| {
            let file = FlickeringFile {
                lines,
                fingerprint,
                records,
            };
            (path.into(), file)
        });
    Some(files.collect())
}
