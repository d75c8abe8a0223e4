//! Lines of a main branch whose state changes without a reason: they are searched after each upload to the branch, and stored.

mod page;
mod search;

#[cfg(test)]
pub(super) use page::{OF_REPOSITORY, RECORD};
#[cfg(test)]
pub(super) use search::NEWEST;
pub(super) use search::SERIES;

use super::{Store, StoreError, Unsigned, Writer, packed, run::Run, time::now};
use ::lines::{Flicker, FlickeringFile, Lines};
use domain::PartName;

/// The maximum number of stored lines, from the first files on.
const MAX_LINES: usize = 100_000;

/// The maximum size of the paths of the stored files, in bytes.
const MAX_PATH_BYTES: usize = 1 << 20;

/// A list that unpacks to more bytes is not read. JSON takes up to six bytes for a byte of a path.
const MAX_UNPACKED_BYTES: u64 = 8 << 20;

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

async fn keep(
    store: &Store,
    newest: i64,
    records: Unsigned,
    found: &Flicker,
) -> Result<(), StoreError> {
    let Some(packed) = packed(found) else {
        return Ok(());
    };
    store
        .write(|pool| pool.run(KEEP, (newest, records, packed)))
        .await
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
    packed::packed(&files, MAX_UNPACKED_BYTES)
}

/// `None` if this release cannot read it.
fn unpacked(packed: &[u8]) -> Option<Flicker> {
    let files: Vec<StoredFile> = packed::unpacked(packed, MAX_UNPACKED_BYTES)?;
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

/// The maximum number of repeated uploads of a record that are kept. The first ones are kept.
const MAX_RERUNS: i64 = 5;

const OF_MAIN: &str = "
    select r.id from records r
    join repositories p on p.id = r.repository_id and p.main_branch_id = r.branch_id
    where r.id = $1 and r.unconfirmed_at is null";

const KEEP_RERUN: &str = "
    insert into record_reruns (record_id, arrived_at, files)
    select r.id, $2, $3 from records r
    where r.id = $1 and (select count(*) from record_reruns o where o.record_id = r.id) < $4";

const RERUNS: &str = "
    select o.files from record_reruns o where o.record_id = $1 order by o.arrived_at limit $2";

impl Writer<'_> {
    /// Returns the lines of a part of a record of the main branch, before an upload replaces them. `None` if the part has no
    /// lines or damaged ones, or if the record is on another branch.
    pub async fn lines_to_replace(
        self,
        record_id: i64,
        part: &PartName,
    ) -> Result<Option<Lines>, StoreError> {
        let record: Option<i64> = self.store.first_value(OF_MAIN, [record_id]).await?;
        let Some(record) = record else {
            return Ok(None);
        };
        match self.part_lines(record, part).await {
            // Damaged lines do not matter: the upload replaces them.
            Err(StoreError::Lines { .. }) => Ok(None),
            lines => lines,
        }
    }

    /// Stores the lines of a record that had different states in two uploads of one part.
    pub async fn keep_rerun(self, record_id: i64, both: &Flicker) -> Result<(), StoreError> {
        let Some(files) = packed(both) else {
            return Ok(());
        };
        let mut transaction = self.store.begin().await?;
        let rerun = (record_id, now(), files, MAX_RERUNS);
        transaction.run(KEEP_RERUN, rerun).await?;
        transaction.commit().await
    }
}

/// The results of each repeated upload of a record.
async fn reruns_of(store: &Store, record_id: i64) -> Result<Vec<Flicker>, StoreError> {
    let files: Vec<Vec<u8>> = store.values(RERUNS, (record_id, MAX_RERUNS)).await?;
    Ok(files.iter().filter_map(|files| unpacked(files)).collect())
}
