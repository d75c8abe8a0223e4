//! Checks whether the details of records are readable.

use super::CheckedPage;
use crate::{Operator, StoreError, record_details::StoredFiles, run::Run};
use sqlx::FromRow;

/// Rows per query. The files of each row may have two megabytes.
const PAGE: i64 = 16;

const DETAILS: &str = "
    select record_id, counters, warnings, files_counter, files_root, file_count, files from record_details
    where record_id > $1 order by record_id limit $2";

#[derive(FromRow)]
struct Row {
    record_id: i64,
    counters: String,
    warnings: String,
    files_counter: String,
    files_root: String,
    file_count: i64,
    files: Option<Vec<u8>>,
}

impl Operator<'_> {
    /// Checks the details of some records; `None` after the last record.
    pub async fn check_details(self, after: i64) -> Result<Option<CheckedPage>, StoreError> {
        let rows: Vec<Row> = self.store.all(DETAILS, (after, PAGE)).await?;
        let Some(last) = rows.last() else {
            return Ok(None);
        };
        let (last, number) = (last.record_id, rows.len());
        let read = |row: Row| Some((row.record_id, unreadable(row)?));
        Ok(Some(CheckedPage {
            last,
            rows: number,
            unreadable: rows.into_iter().filter_map(read).collect(),
        }))
    }
}

fn unreadable(row: Row) -> Option<String> {
    if let Err(error) = serde_json::from_str::<Vec<(String, u64, u64)>>(&row.counters) {
        return Some(format!("the counters cannot be read: {error}"));
    }
    if let Err(error) = serde_json::from_str::<Vec<String>>(&row.warnings) {
        return Some(format!("the warnings cannot be read: {error}"));
    }
    let Ok(count) = u32::try_from(row.file_count) else {
        return Some(format!("{} is not a valid number of files", row.file_count));
    };
    let files = StoredFiles {
        counter: row.files_counter,
        root: row.files_root,
        count,
        encoded: row.files,
    };
    let checked = files.each(|_, _| ());
    checked.err().map(|error| error.to_string())
}
