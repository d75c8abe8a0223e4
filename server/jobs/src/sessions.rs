//! Removes ended sessions of people, so that names are not kept without need.

use domain::text::chain;
use std::time::Duration;
use store::Store;
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

const PAUSE: Duration = Duration::from_secs(60 * 60);

/// Removes ended sessions at once and then regularly, until the returned value is dropped. Several services on one database may
/// run it at the same time.
pub fn keep_removing(store: Store) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        loop {
            if let Err(error) = store.writer().remove_ended_sessions().await {
                let cause = chain(&error);
                tracing::warn!(cause, "cannot remove the sessions that have ended");
            }
            sleep(PAUSE).await;
        }
    }))
}
