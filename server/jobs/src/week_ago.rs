//! Keeps the changes of the last week in the summary table current while time passes.

use domain::text::chain;
use std::time::Duration;
use store::Store;
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

/// Until the next round, pages compute the changes of expired rows from the history.
const PAUSE: Duration = Duration::from_secs(15 * 60);

/// Renews expired rows at once and then regularly, until the returned value is dropped.
pub fn keep_renewing(store: Store) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        loop {
            match store.writer().renew_week_ago().await {
                Ok(0) => {}
                Ok(repositories) => {
                    tracing::debug!(repositories, "renewed the changes of the last week")
                }
                Err(error) => tracing::warn!(
                    cause = chain(&error),
                    "cannot renew the changes of the last week"
                ),
            }
            sleep(PAUSE).await;
        }
    }))
}
