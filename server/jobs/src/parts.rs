//! Ends the wait for parts that did not arrive in time, and notifies the forge.

use crate::upkeep::{every, logged};
use config::PartsTimeout;
use domain::text::chain;
use review::Review;
use std::time::Duration;
use store::{Store, TimedOut};
use tokio_util::task::AbortOnDropHandle;

/// The time between two rounds is a quarter of the timeout, within these limits.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
const SHORTEST_PAUSE: Duration = Duration::from_millis(200);

/// Makes records count as complete when their missing parts time out, until the returned value is dropped. Several services on
/// one database may run this at the same time: only one of them notifies the forge.
pub fn keep_timing_out(review: Review, timeout: PartsTimeout) -> AbortOnDropHandle<()> {
    let pause = (timeout.0 / 4).clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
    every(pause, review, |review| async move {
        let store = &review.store;
        let forgotten = store.writer().forget_early_skips().await;
        logged(forgotten, "cannot forget old skipped parts");
        let timed_out = store.writer().time_out_parts().await;
        let timed_out = logged(
            timed_out,
            "cannot end the wait for parts that did not arrive",
        );
        for record in timed_out.into_iter().flatten() {
            judge(store, &record).await;
            let (id, is_unconfirmed) = (record.record_id, record.is_unconfirmed);
            review.report_timed_out(id, is_unconfirmed).await;
            review.keep_line_history(id);
        }
    })
}

async fn judge(store: &Store, record: &TimedOut) {
    let (id, missing) = (record.record_id, record.missing.to_string());
    tracing::info!(
        record = id,
        missing,
        "a record counts as complete: parts did not arrive in time"
    );
    if let Err(error) = store.writer().keep_verdict(id).await {
        let cause = chain(&error);
        tracing::warn!(record = id, cause, "cannot judge a record");
    }
}
