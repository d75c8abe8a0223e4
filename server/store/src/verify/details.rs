//! Checks whether the details of records are readable.

use crate::{Operator, StoreError, record_details::StoredFiles, run::Run};
use sqlx::FromRow;

/// Rows per query. The files of each row may have two megabytes.
const PAGE: i64 = 16;

/// A page of checked rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetailsPage {
    /// The id of the last record; the next page continues after it.
    pub last: i64,
    /// The number of rows.
    pub rows: usize,
    /// The unreadable rows.
    pub unreadable: Vec<UnreadableDetails>,
}

/// An unreadable row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableDetails {
    /// The id of its record.
    pub record_id: i64,
    /// The error.
    pub detail: String,
}

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
    pub async fn check_details(self, after: i64) -> Result<Option<DetailsPage>, StoreError> {
        let rows: Vec<Row> = self.store.all(DETAILS, (after, PAGE)).await?;
        let Some(last) = rows.last() else {
            return Ok(None);
        };
        let mut page = DetailsPage {
            last: last.record_id,
            rows: rows.len(),
            unreadable: Vec::new(),
        };
        for row in rows {
            let record_id = row.record_id;
            if let Some(detail) = unreadable(row) {
                page.unreadable
                    .push(UnreadableDetails { record_id, detail });
            }
        }
        Ok(Some(page))
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
    let checked = files.check();
    checked.err().map(|error| error.to_string())
}
