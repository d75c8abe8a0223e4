//! Sweeping again and again where several services share a database: what one of them leaves in a crash, another removes.

use super::sweep;
use crate::{error::chain, reports::Reports, store::Store};
use std::time::Duration;
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

/// From one sweep to the next.
const PAUSE: Duration = Duration::from_secs(300);

/// Sweeps for as long as the value is kept; where this service has its database to itself, a start's own sweep is enough.
pub fn keep_sweeping(store: Store, reports: Reports) -> Option<AbortOnDropHandle<()>> {
    if !store.is_shared() {
        return None;
    }
    let sweeping = tokio::spawn(async move {
        loop {
            sleep(PAUSE).await;
            if let Err(error) = sweep(&store, &reports).await {
                tracing::warn!(
                    cause = chain(&error),
                    "what unfinished uploads had left cannot be swept"
                );
            }
        }
    });
    Some(AbortOnDropHandle::new(sweeping))
}
