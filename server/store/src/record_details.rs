//! The contents of a record's coverage file besides its totals, stored with the record.

mod decoding;
mod encoding;
mod listing;
mod moved;
#[cfg(test)]
mod tests;

pub(super) use decoding::DecodeError;
pub use encoding::{FileCounts, FilesEncoder, TooManyFiles};
pub(super) use listing::list;
pub(super) use moved::{groups, left_out, moved};

use super::{
    Store, StoreError, Writer,
    matched_paths::PathsRow,
    run::Run,
    text::{json, storable},
};
use decoding::StoredFileReader;
use domain::{Count, Counted, MatchedPaths};
use sqlx::{AnyConnection, FromRow};

/// The details of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordDetails {
    /// The tool that wrote the coverage file, with its version if stated.
    pub tool: Option<String>,
    /// All counts of the coverage file.
    pub counters: Vec<Counted>,
    /// Problems in the coverage file, one sentence each.
    pub warnings: Vec<String>,
    /// How many paths of the coverage file are files of the repository, if the upload listed the files.
    pub paths: Option<MatchedPaths>,
    /// Whether the coverage file states the folder that was removed from its paths.
    pub is_root_stated: bool,
    /// The files of the coverage file.
    pub files: StoredFiles,
}

/// The stored form of the files of a coverage file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredFiles {
    /// The name of the counted lines, in lower case and singular.
    pub counter: String,
    /// The common start that was removed from all paths.
    pub root: String,
    /// The number of files.
    pub count: u32,
    /// The files, as a [`FilesEncoder`] writes them; `None` if the coverage file lists none, or too many.
    pub encoded: Option<Vec<u8>>,
}

impl StoredFiles {
    /// Reads the files one by one, with `prefix` in front of each path; `None` if no files are stored.
    fn read<'a>(&'a self, prefix: &'a str) -> Result<Option<StoredFileReader<'a>>, DecodeError> {
        let encoded = self.encoded.as_deref();
        encoded
            .map(|encoded| StoredFileReader::new(encoded, self.count, prefix))
            .transpose()
    }

    /// Decodes all files, to check the encoding.
    pub(super) fn check(&self) -> Result<(), DecodeError> {
        if let Some(mut files) = self.read("")? {
            while files.advance()? {}
        }
        Ok(())
    }
}

const UPSERT: &str = "
    insert into record_details (
        record_id, tool, counters, warnings, files_counter, files_root, file_count, files,
        paths_matched, paths_of, paths_unmatched, is_root_stated
    ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    on conflict (record_id) do update set
        tool = excluded.tool,
        counters = excluded.counters,
        warnings = excluded.warnings,
        files_counter = excluded.files_counter,
        files_root = excluded.files_root,
        file_count = excluded.file_count,
        files = excluded.files,
        paths_matched = excluded.paths_matched,
        paths_of = excluded.paths_of,
        paths_unmatched = excluded.paths_unmatched,
        is_root_stated = excluded.is_root_stated";

/// Stores the details of a record, instead of the details of an earlier upload of its commit, within the transaction that
/// publishes it.
pub(super) async fn store(
    connection: &mut AnyConnection,
    record_id: i64,
    details: &RecordDetails,
) -> Result<(), StoreError> {
    let counters: Vec<_> = details
        .counters
        .iter()
        .map(|counted| {
            let Count { covered, total } = counted.count;
            (counted.counter.as_str(), covered, total)
        })
        .collect();
    let paths = details.paths.as_ref();
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    sqlx::query(UPSERT)
        .bind(record_id)
        .bind(details.tool.as_deref().map(storable))
        .bind(json(&counters))
        .bind(json(&details.warnings))
        .bind(details.files.counter.as_str())
        .bind(storable(&details.files.root))
        .bind(i64::from(details.files.count))
        .bind(details.files.encoded.as_deref())
        .bind(paths.map(|paths| number(paths.matched)))
        .bind(paths.map(|paths| number(paths.of)))
        .bind(paths.map(PathsRow::unmatched))
        .bind(i64::from(details.is_root_stated))
        .execute(&mut *connection)
        .await?;
    Ok(())
}

pub(super) const DETAILS: &str = "
    select tool, counters, warnings, files_counter, files_root, file_count, files,
        paths_matched, paths_of, paths_unmatched, is_root_stated
    from record_details where record_id = $1";

pub(super) const FILES: &str =
    "select files_counter, files_root, file_count, files from record_details where record_id = $1";

#[derive(FromRow)]
struct Row {
    tool: Option<String>,
    counters: String,
    warnings: String,
    #[sqlx(flatten)]
    paths: PathsRow,
    is_root_stated: Option<i64>,
    #[sqlx(flatten)]
    files: FilesRow,
}

#[derive(FromRow)]
struct FilesRow {
    files_counter: String,
    files_root: String,
    file_count: i64,
    files: Option<Vec<u8>>,
}

impl Writer<'_> {
    /// Returns the details of a record; `None` if the record is older than the storage of details.
    pub async fn record_details(self, id: i64) -> Result<Option<RecordDetails>, StoreError> {
        let row: Option<Row> = self.store.first(DETAILS, (id,)).await?;
        Ok(row.map(RecordDetails::from))
    }
}

impl Store {
    pub(super) async fn stored_files(&self, id: i64) -> Result<Option<StoredFiles>, StoreError> {
        let row: Option<FilesRow> = self.first(FILES, (id,)).await?;
        Ok(row.map(StoredFiles::from))
    }
}

impl From<Row> for RecordDetails {
    /// Skips unreadable values: the page of a record must not fail because of its details.
    fn from(row: Row) -> Self {
        let counters: Vec<(String, u64, u64)> =
            serde_json::from_str(&row.counters).unwrap_or_default();
        let counted = |(counter, covered, total)| Counted {
            counter,
            count: Count { covered, total },
        };
        Self {
            tool: row.tool,
            counters: counters.into_iter().map(counted).collect(),
            warnings: serde_json::from_str(&row.warnings).unwrap_or_default(),
            paths: row.paths.matched(),
            is_root_stated: row.is_root_stated == Some(1),
            files: row.files.into(),
        }
    }
}

impl From<FilesRow> for StoredFiles {
    fn from(row: FilesRow) -> Self {
        Self {
            counter: row.files_counter,
            root: row.files_root,
            count: u32::try_from(row.file_count).unwrap_or_default(),
            encoded: row.files,
        }
    }
}
