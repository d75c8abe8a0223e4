//! Removing the reports of what was deleted: at once, and not only once a sweep finds them.

use crate::{
    reports::{Reports, removal::remove_marked},
    store::{Store, StoreError},
};
use domain::Timestamp;

/// Removes the reports of the deletion that was made at this moment. What cannot be removed now, a later sweep removes.
///
/// # Errors
///
/// When the database fails; a later sweep removes the rest then.
pub(crate) async fn remove_reports(
    store: &Store,
    reports: &Reports,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        let keys = store.reports_of_deletion(at, &after).await?;
        let Some(last) = keys.last() else {
            return Ok(());
        };
        after.clone_from(last);
        remove_marked(store, reports, &keys).await;
    }
}
