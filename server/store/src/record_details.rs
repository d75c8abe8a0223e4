//! The contents of a record's coverage file besides its totals, stored with the record.

mod before;
mod beside;
mod decoding;
mod encoding;
mod listing;
mod moved;
mod selected;
#[cfg(test)]
mod tests;

pub(super) use before::add_before;
pub(super) use beside::beside;
pub(super) use decoding::DecodeError;
pub use encoding::{FileCounts, FilesEncoder, TooManyFiles};
pub(super) use listing::list;
pub(super) use moved::{groups, left_out, moved};

use super::{
    Flag, Store, StoreError, Unsigned, Writer,
    matched_paths::PathsRow,
    run::Run,
    text::{Texts, json, storable},
};
use decoding::StoredFileReader;
use domain::{Count, Counted, IgnoredFiles, MatchedPaths, sql::IfReadable};
use sqlx::{AnyConnection, FromRow};

/// The details of a record.
#[derive(Clone, Debug, Default, FromRow, PartialEq, Eq)]
pub struct RecordDetails {
    /// The tool that wrote the coverage file, with its version if stated.
    pub tool: Option<String>,
    /// All counts of the coverage file.
    #[sqlx(try_from = "Counters")]
    pub counters: Vec<Counted>,
    /// Problems in the coverage file, one sentence each.
    #[sqlx(try_from = "Texts")]
    pub warnings: Vec<String>,
    /// How many paths of the coverage file are files of the repository, if the upload listed the files.
    #[sqlx(flatten, try_from = "PathsRow")]
    pub paths: Option<MatchedPaths>,
    /// The files that the rules of the record leave out; `None` without rules.
    #[sqlx(try_from = "IfReadable<IgnoredFiles>")]
    pub ignored: Option<IgnoredFiles>,
    /// Whether the coverage file states the folder that was removed from its paths.
    #[sqlx(try_from = "Flag")]
    pub is_root_stated: bool,
    /// The files of the coverage file.
    #[sqlx(flatten)]
    pub files: StoredFiles,
}

/// The stored form of the files of a coverage file.
#[derive(Clone, Debug, Default, FromRow, PartialEq, Eq)]
pub struct StoredFiles {
    /// The name of the counted lines, in lower case and singular.
    #[sqlx(rename = "files_counter")]
    pub counter: String,
    /// The common start that was removed from all paths.
    #[sqlx(rename = "files_root")]
    pub root: String,
    /// The number of files.
    #[sqlx(rename = "file_count", try_from = "Unsigned")]
    pub count: u32,
    /// The files, as a [`FilesEncoder`] writes them; `None` if the coverage file lists none, or too many.
    #[sqlx(rename = "files")]
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

    /// Passes each file to `see`.
    pub(super) fn each(&self, mut see: impl FnMut(&str, FileCounts)) -> Result<(), DecodeError> {
        if let Some(mut files) = self.read("")? {
            while files.advance()? {
                see(files.path(), files.counts());
            }
        }
        Ok(())
    }
}

const UPSERT: &str = "
    insert into record_details (
        record_id, tool, counters, warnings, files_counter, files_root, file_count, files,
        paths_matched, paths_of, paths_unmatched, is_root_stated, ignored
    ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
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
        is_root_stated = excluded.is_root_stated,
        ignored = excluded.ignored";

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
    let values = (
        record_id,
        details.tool.as_deref().map(storable),
        json(&counters),
        json(&details.warnings),
        &details.files.counter,
        storable(&details.files.root),
        i64::from(details.files.count),
        details.files.encoded.as_deref(),
        paths.map(|paths| Unsigned(paths.matched)),
        paths.map(|paths| Unsigned(paths.of)),
        paths.map(PathsRow::unmatched),
        i64::from(details.is_root_stated),
        details.ignored.map(|ignored| ignored.to_string()),
    );
    connection.run(UPSERT, values).await
}

pub(super) const DETAILS: &str = "
    select tool, counters, warnings, files_counter, files_root, file_count, files,
        paths_matched, paths_of, paths_unmatched, coalesce(is_root_stated, 0) as is_root_stated, ignored
    from record_details where record_id = $1";

pub(super) const FILES: &str =
    "select files_counter, files_root, file_count, files from record_details where record_id = $1";

/// The stored counts. Unreadable ones are skipped.
#[derive(sqlx::Type)]
#[sqlx(transparent)]
struct Counters(String);

impl From<Counters> for Vec<Counted> {
    fn from(stored: Counters) -> Self {
        let counters: Vec<(String, u64, u64)> = serde_json::from_str(&stored.0).unwrap_or_default();
        let counted = |(counter, covered, total)| Counted {
            counter,
            count: Count { covered, total },
        };
        counters.into_iter().map(counted).collect()
    }
}

impl Writer<'_> {
    /// Returns the details of a record; `None` if the record is older than the storage of details.
    pub async fn record_details(self, id: i64) -> Result<Option<RecordDetails>, StoreError> {
        self.store.first(DETAILS, [id]).await
    }
}

impl Store {
    pub(super) async fn stored_files(&self, id: i64) -> Result<Option<StoredFiles>, StoreError> {
        self.first(FILES, [id]).await
    }
}
