//! Checks whether the changes of records are readable.

use super::CheckedPage;
use crate::{Operator, StoreError, blocking::blocking, run::Run};
use lines::Changes;

/// Rows per query. The changes of each row may have megabytes.
const PAGE: i64 = 16;

const CHANGES: &str = "
    select record_id, changes from record_changes
    where record_id > $1 and changes is not null order by record_id limit $2";

impl Operator<'_> {
    /// Checks the changes of some records; `None` after the last record.
    pub async fn check_changes(self, after: i64) -> Result<Option<CheckedPage>, StoreError> {
        let rows: Vec<(i64, Vec<u8>)> = self.store.all(CHANGES, (after, PAGE)).await?;
        let Some(&(last, _)) = rows.last() else {
            return Ok(None);
        };
        let number = rows.len();
        let checked = blocking(|| {
            let read = |(record, blob): (i64, Vec<u8>)| match Changes::decode(&blob) {
                Ok(_) => None,
                Err(_) => Some((record, "the changes are damaged".to_owned())),
            };
            rows.into_iter().filter_map(read).collect()
        });
        Ok(Some(CheckedPage {
            last,
            rows: number,
            unreadable: checked.await?,
        }))
    }
}
