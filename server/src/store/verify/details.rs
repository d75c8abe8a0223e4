//! Whether what is stored beside records can be read.

use crate::store::{Store, StoreError, record_details::StoredFiles};
use sqlx::FromRow;

/// Rows that are read at once: the files of each may take two megabytes.
const PAGE: i64 = 16;

/// Some rows that were looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetailsPage {
    /// The last of their records; the next page comes after it.
    pub last: i64,
    /// How many there were.
    pub rows: usize,
    /// Those that cannot be read.
    pub unreadable: Vec<UnreadableDetails>,
}

/// A row that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableDetails {
    /// The id of its record.
    pub record_id: i64,
    /// What is wrong with it.
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

impl Store {
    /// Looks at what is stored beside some records; none after the last.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn check_details(&self, after: i64) -> Result<Option<DetailsPage>, StoreError> {
        let rows: Vec<Row> = sqlx::query_as(DETAILS)
            .bind(after)
            .bind(PAGE)
            .fetch_all(&self.readers)
            .await?;
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
        return Some(format!("the counters are not what was written: {error}"));
    }
    if let Err(error) = serde_json::from_str::<Vec<String>>(&row.warnings) {
        return Some(format!("the warnings are not what was written: {error}"));
    }
    let Ok(count) = u32::try_from(row.file_count) else {
        return Some(format!("{} is no number of files", row.file_count));
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
