//! Lines of a main branch whose state changes without a reason: they are searched after each upload to it, and stored.

mod page;

#[cfg(test)]
pub(super) use page::OF_REPOSITORY;

use super::{Store, StoreError, write::settle};
use ::lines::{Changes, Flicker, FlickerSearch, FlickeringFile, Limits, Lines};
use sqlx::FromRow;
use std::io::Read;
use tokio::task;

/// The most lines that are stored, of the first files.
const MAX_LINES: usize = 100_000;

/// The most bytes of the paths of these files.
const MAX_PATH_BYTES: usize = 1 << 20;

/// A list that unpacks to more is not read. JSON takes up to six bytes for a byte of a path.
const MAX_UNPACKED_BYTES: u64 = 8 << 20;

/// The level of compression: fast.
const LEVEL: i32 = 1;

/// The newest records of a main branch that have lines.
pub(super) const NEWEST: &str = "
    select r.id from records r
    join record_lines l on l.record_id = r.id
    where r.branch_id = (select p.main_branch_id from repositories p where p.id = $1)
      and r.language = $2 and r.unconfirmed_at is null
    order by r.updated_at desc limit $3";

const RECORD: &str = "
    select l.lines, c.changes from record_lines l
    left join record_changes c on c.record_id = l.record_id
    where l.record_id = $1";

const KEEP: &str = "
    insert into flickering_lines (repository_id, language, record_id, records, files)
    select r.repository_id, r.language, r.id, $2, $3 from records r where r.id = $1
    on conflict (repository_id, language) do update set
        record_id = excluded.record_id,
        records = excluded.records,
        files = excluded.files";

pub(super) const KNOWN: &str =
    "select f.files from flickering_lines f where f.repository_id = $1 and f.language = $2";

#[derive(FromRow)]
struct Row {
    lines: Vec<u8>,
    changes: Option<Vec<u8>>,
}

/// A file as it is stored: its path, its fingerprint, and its lines.
type StoredFile = (String, u32, Vec<u32>);

impl Store {
    /// Searches the newest records of a main branch for lines that flicker, and stores them. `record_id` is the record that was
    /// uploaded last; if it is of another branch, nothing happens.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if stored lines or changes are damaged, or when the database fails.
    pub async fn find_flicker(&self, record_id: i64) -> Result<(), StoreError> {
        const SERIES: &str = "
            select r.repository_id, r.language from records r
            join repositories p on p.id = r.repository_id and p.main_branch_id = r.branch_id
            where r.id = $1 and r.unconfirmed_at is null";
        let series: Option<(i64, String)> = sqlx::query_as(SERIES)
            .bind(record_id)
            .fetch_optional(&self.readers)
            .await?;
        let Some((repository_id, language)) = series else {
            return Ok(());
        };
        let newest: Vec<i64> = sqlx::query_scalar(NEWEST)
            .bind(repository_id)
            .bind(language)
            .bind(i64::try_from(Flicker::RECORDS).unwrap_or_default())
            .fetch_all(&self.readers)
            .await?;
        let Some((&first, older)) = newest.split_first() else {
            return Ok(());
        };
        if older.len() < Flicker::CHANGES {
            // No state can have changed so often.
            let nothing = Flicker::from_iter([]);
            let records = i64::try_from(newest.len()).unwrap_or_default();
            return keep(self, first, records, &nothing).await;
        }
        let Some((lines, mut changes)) = record(self, first).await? else {
            return Ok(());
        };
        let mut search = FlickerSearch::from(lines);
        let mut records = 1_i64;
        for &id in older {
            if search.is_over() {
                break;
            }
            // It may have been deleted meanwhile.
            let Some((lines, of_older)) = record(self, id).await? else {
                break;
            };
            let newer = std::mem::replace(&mut changes, of_older);
            let searched = task::spawn_blocking(move || {
                search.before(&lines, newer.as_ref());
                search
            });
            search = searched.await.map_err(StoreError::Stopped)?;
            records += 1;
        }
        keep(self, first, records, &search.found()).await
    }
}

/// The lines and the changes of a record.
async fn record(store: &Store, id: i64) -> Result<Option<(Lines, Option<Changes>)>, StoreError> {
    let row: Option<Row> = sqlx::query_as(RECORD)
        .bind(id)
        .fetch_optional(&store.readers)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let decoded = task::spawn_blocking(move || {
        let lines = Lines::decode(&row.lines, &Limits::default())?;
        let changes = row.changes.as_deref().map(Changes::decode).transpose()?;
        Ok((lines, changes))
    });
    let decoded = decoded.await.map_err(StoreError::Stopped)?;
    decoded
        .map(Some)
        .map_err(|source| StoreError::Lines { record: id, source })
}

async fn keep(store: &Store, newest: i64, records: i64, found: &Flicker) -> Result<(), StoreError> {
    let Some(packed) = packed(found) else {
        return Ok(());
    };
    let mut connection = store.writer.acquire().await?;
    let kept = sqlx::query(KEEP)
        .bind(newest)
        .bind(records)
        .bind(packed)
        .execute(&mut *connection)
        .await;
    settle(connection, kept.map(drop).map_err(StoreError::from)).await
}

/// The lines of a main branch that are known to flicker, in this language; none if there are none.
pub(super) async fn known(
    store: &Store,
    repository_id: i64,
    language: &str,
) -> Result<Option<Flicker>, StoreError> {
    let packed: Option<Vec<u8>> = sqlx::query_scalar(KNOWN)
        .bind(repository_id)
        .bind(language)
        .fetch_optional(&store.readers)
        .await?;
    let known = packed.and_then(|packed| unpacked(&packed));
    Ok(known.filter(|known| known.files().len() > 0))
}

fn packed(found: &Flicker) -> Option<Vec<u8>> {
    let (mut lines, mut bytes) = (MAX_LINES, MAX_PATH_BYTES);
    let files = found.files().map_while(|(path, file)| {
        lines = lines.checked_sub(file.lines.len())?;
        bytes = bytes.checked_sub(path.len())?;
        Some((path.to_owned(), file.fingerprint, file.lines.clone()))
    });
    let files: Vec<StoredFile> = files.collect();
    let json = serde_json::to_vec(&files).ok()?;
    zstd::encode_all(&*json, LEVEL).ok()
}

/// None if this release cannot read it.
fn unpacked(packed: &[u8]) -> Option<Flicker> {
    let decoder = zstd::Decoder::new(packed).ok()?;
    let mut json = Vec::new();
    decoder
        .take(MAX_UNPACKED_BYTES)
        .read_to_end(&mut json)
        .ok()?;
    let files: Vec<StoredFile> = serde_json::from_slice(&json).ok()?;
    let files = files.into_iter().map(|(path, fingerprint, lines)| {
        let file = FlickeringFile { lines, fingerprint };
        (path.into(), file)
    });
    Some(files.collect())
}
