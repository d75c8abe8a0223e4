//! Where the report of a record is.

use super::{ReportObject, Store, StoreError};
use sqlx::Row;

impl Store {
    /// The stored report of a record; none where there is no such record, or it was uploaded without HTML.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn report(&self, record_id: i64) -> Result<Option<ReportObject>, StoreError> {
        let row = sqlx::query("select report_key, report_start_page from records where id = $1 and report_key is not null")
            .bind(record_id)
            .fetch_optional(&self.readers)
            .await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(ReportObject {
            key: row.try_get("report_key")?,
            start_page: row.try_get("report_start_page")?,
        }))
    }
}
