//! Tasks that run at once and then regularly. Several services on one database may run them at the same time.

use domain::text::chain;
use std::{error::Error, time::Duration};
use store::Store;
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// Until the next round, pages compute the changes of expired rows from the history.
const RENEWED: Duration = Duration::from_secs(15 * 60);

/// Does `work` at once and then after each pause, until the returned value is dropped.
pub(crate) fn every<S, W>(
    pause: Duration,
    state: S,
    work: impl Fn(S) -> W + Send + 'static,
) -> AbortOnDropHandle<()>
where
    S: Clone + Send + 'static,
    W: Future<Output = ()> + Send,
{
    AbortOnDropHandle::new(tokio::spawn(async move {
        loop {
            work(state.clone()).await;
            sleep(pause).await;
        }
    }))
}

/// Logs a failure of a round as `what`. The next round tries again.
pub(crate) fn logged<T, E: Error>(done: Result<T, E>, what: &'static str) -> Option<T> {
    done.inspect_err(|error| tracing::warn!(cause = chain(error), "{what}"))
        .ok()
}

/// Deletes lines that are older than `days`, except the lines of main branches, until the returned value is dropped.
pub fn keep_deleting_lines(store: Store, days: u32) -> AbortOnDropHandle<()> {
    every(HOUR, store, move |store| async move {
        let reviewed = store.writer().review_lines(days).await;
        let reviewed = logged(reviewed, "cannot delete the lines of old records");
        let records = reviewed.map_or(0, |reviewed| reviewed.deleted);
        if records > 0 {
            tracing::info!(records, "deleted the lines of old records");
        }
    })
}

/// Removes ended sessions of people, so that names are not kept without need, until the returned value is dropped.
pub fn keep_removing_sessions(store: Store) -> AbortOnDropHandle<()> {
    every(HOUR, store, |store| async move {
        let removed = store.writer().remove_ended_sessions().await;
        logged(removed, "cannot remove the sessions that have ended");
    })
}

/// Deletes the records of commits that a merge queue threw out, until the returned value is dropped.
pub fn keep_removing_thrown_out(store: Store) -> AbortOnDropHandle<()> {
    every(HOUR, store, |store| async move {
        let removed = store.writer().remove_thrown_out().await;
        if let Some(records @ 1..) = logged(removed, "cannot delete what merge queues threw out") {
            tracing::info!(
                records,
                "deleted records of commits that merge queues threw out"
            );
        }
    })
}

/// Counts the new code and the owners of main branches that were not counted today, until the returned value is dropped. After an
/// upload, its task counts the new code; this counts on the next day, and what a task could not.
pub fn keep_counting(store: Store) -> AbortOnDropHandle<()> {
    every(RENEWED, store, |store| async move {
        let counted = store.writer().count_new_code().await;
        if let Some(records @ 1..) = logged(counted, "cannot count the new code of all records") {
            tracing::debug!(records, "counted the new code of records");
        }
        let counted = store.writer().count_owners().await;
        if let Some(repositories @ 1..) =
            logged(counted, "cannot count the owners of all repositories")
        {
            tracing::debug!(repositories, "counted the owners of repositories");
        }
    })
}

/// Keeps the changes of the last week in the summary table current while time passes, until the returned value is dropped.
pub fn keep_renewing(store: Store) -> AbortOnDropHandle<()> {
    every(RENEWED, store, |store| async move {
        let renewed = store.writer().renew_week_ago().await;
        let renewed = logged(renewed, "cannot renew the changes of the last week");
        if let Some(repositories @ 1..) = renewed {
            tracing::debug!(repositories, "renewed the changes of the last week");
        }
    })
}
