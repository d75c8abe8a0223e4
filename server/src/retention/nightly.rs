//! Pruning each night, while the service runs.

use super::{Rules, prune};
use crate::{error::chain, reports::Reports, store::Store};
use chrono::{Days, NaiveTime, Utc};
use std::time::Duration;
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

/// Prunes each day at `at` (UTC) for as long as the value is kept. Several services on one database may do so at once: what
/// one has let go of, another finds gone.
pub fn prune_nightly(
    store: Store,
    reports: Reports,
    rules: Rules,
    at: NaiveTime,
) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        loop {
            sleep(until(at)).await;
            match prune(&store, &reports, rules, false, |_, _| ()).await {
                Ok(pruned) => tracing::info!(
                    reports = pruned.reports,
                    removed = pruned.removed,
                    bytes = pruned.bytes,
                    "pruned reports"
                ),
                Err(error) => {
                    tracing::error!(cause = chain(&error), "reports cannot be pruned");
                }
            }
        }
    }))
}

/// How long it is until the next time it is `at`.
fn until(at: NaiveTime) -> Duration {
    let now = Utc::now().naive_utc();
    let today = now.date().and_time(at);
    let next = match today > now {
        true => today,
        false => today.checked_add_days(Days::new(1)).unwrap_or(today),
    };
    // A clock at the end of time would have no next day.
    (next - now).to_std().unwrap_or(Duration::from_secs(86_400))
}
