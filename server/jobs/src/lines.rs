//! Deletes the lines of records that are no longer kept.

use domain::text::chain;
use std::time::Duration;
use store::Store;
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

const PAUSE: Duration = Duration::from_secs(60 * 60);

/// Deletes lines that are older than `days`, except the lines of main branches. Runs at once and then regularly, until the
/// returned value is dropped. Several services on one database may run it at the same time.
pub fn keep_deleting(store: Store, days: u32) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        loop {
            match store.writer().review_lines(days).await {
                Ok(reviewed) if reviewed.deleted == 0 => {}
                Ok(reviewed) => tracing::info!(
                    records = reviewed.deleted,
                    "deleted the lines of old records"
                ),
                Err(error) => tracing::warn!(
                    cause = chain(&error),
                    "cannot delete the lines of old records"
                ),
            }
            sleep(PAUSE).await;
        }
    }))
}
