//! Removes the reports and the source text of deleted records at once, without waiting for a sweep.

use domain::Timestamp;
use ingest::removal::remove_marked;
use objects::Reports;
use store::{Store, StoreError};

/// Removes the reports of the deletion made at `at`, and source text that no record names any more. If the storage does not remove a report now, a later sweep does.
///
/// # Errors
///
/// If the database fails. A later sweep then removes the rest.
pub async fn remove_reports(
    store: &Store,
    reports: &Reports,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        let keys = store.writer().reports_of_deletion(at, &after).await?;
        let Some(last) = keys.last() else {
            return store.writer().remove_unnamed_sources().await.map(drop);
        };
        after.clone_from(last);
        remove_marked(store, reports, &keys).await;
    }
}
