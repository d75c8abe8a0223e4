//! The order in which an upload becomes visible and what it replaces goes: whatever moment a crash picks, nothing
//! acknowledged is lost, nothing half is seen, and what is left over is known.
//!
//! 1. The report's key is [announced](crate::store::Store::announce_report).
//! 2. The report is synced and renamed to its key, or in a bucket its last part is sent and all of them are put together.
//! 3. One transaction takes the key for the record, and dooms the key of the report that it replaces.
//! 4. Doomed reports are removed and then forgotten: one that no record ever pointed to at once, one that was replaced by
//!    the [sweeper](super::sweeper) once the grace is over, as an older copy of the database may point to it.

use super::IngestError;
use crate::{
    reports::{Reports, ReportsError, StagedReport},
    state::AppState,
    store::{NewRecord, Published, Standing, Store},
    text::chain,
};
use std::error::Error;
use tokio::task;

/// Stores the report, which no record points to yet, and returns its key and its bytes.
pub(super) async fn store_report(
    state: &AppState,
    staged: StagedReport,
) -> Result<(String, u64), IngestError> {
    let key = staged.key().to_owned();
    state.store.announce_report(&key).await?;
    let reports = state.reports.clone();
    let stored = task::spawn_blocking(move || reports.publish(staged));
    let stored = stored.await.map_err(IngestError::Panicked)?;
    match stored {
        Ok(bytes) => Ok((key, bytes)),
        Err(error) => {
            discard(state, &key, IfMissing::after(&error)).await;
            Err(error.into())
        }
    }
}

/// Makes the record the current one of its branch, and removes what it replaces where no grace is given, or no room is left.
pub(super) async fn store_record(
    state: &AppState,
    new: &NewRecord,
) -> Result<Published, IngestError> {
    let published = state
        .store
        .publish_within(new, &state.limits.quotas())
        .await;
    if let Ok(Published {
        replaced_report: Some(key),
        ..
    }) = &published
    {
        // Addresses of its version lead to the new one from now on.
        state.reports.close(key);
    }
    let uploaded = new.report.as_ref().map(|report| report.key.as_str());
    let unused = match &published {
        Ok(published) if matches!(published.standing, Standing::Kept(_)) => uploaded,
        Ok(published) if state.report_grace.is_zero() => published.replaced_report.as_deref(),
        Ok(_) => None,
        Err(_) => uploaded,
    };
    if let Some(key) = unused {
        discard(state, key, IfMissing::Forget).await;
    }
    let published = published?;
    remove_doomed(&state.store, &state.reports, &published.crowded_out).await;
    Ok(published)
}

/// Removes a report that no record points to. What does not work now, the sweeper does.
async fn discard(state: &AppState, key: &str, if_missing: IfMissing) {
    let discarded = async {
        match state.store.doom_report(key).await? {
            true => remove(&state.store, &state.reports, key, if_missing).await,
            // A transaction that seemed to fail has stored its record after all.
            false => Ok(()),
        }
    };
    report_failure(key, discarded.await);
}

/// Removes reports that no record points to any more, and that are doomed. What does not work now, or is not there, is left
/// for later: whoever removes may look in another place than the service does.
pub async fn remove_doomed(store: &Store, reports: &Reports, keys: &[String]) {
    for key in keys {
        let removed = remove(store, reports, key, IfMissing::Remember).await;
        report_failure(key, removed);
    }
}

/// What to make of a report that is not there.
#[derive(Clone, Copy)]
pub(super) enum IfMissing {
    /// It was never stored, or a crash came between removing and forgetting it.
    Forget,
    /// It may still come, from another process or from a storage that has not said: a later sweep looks once more.
    Remember,
}

impl IfMissing {
    /// When storing it failed so.
    fn after(error: &ReportsError) -> Self {
        match error {
            ReportsError::Storage(_) => Self::Remember,
            _ => Self::Forget,
        }
    }
}

/// Removes a doomed report, and forgets it.
pub(super) async fn remove(
    store: &Store,
    reports: &Reports,
    key: &str,
    if_missing: IfMissing,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (reports, removed) = (reports.clone(), key.to_owned());
    let removed = task::spawn_blocking(move || reports.remove(&removed));
    match (removed.await?, if_missing) {
        (Err(ReportsError::Missing), IfMissing::Remember) => Ok(()),
        (Ok(()) | Err(ReportsError::Missing), _) => Ok(store.forget_report(key).await?),
        (Err(error), _) => Err(error.into()),
    }
}

pub(super) fn report_failure(key: &str, removed: Result<(), Box<dyn Error + Send + Sync>>) {
    if let Err(error) = removed {
        let cause = chain(&*error);
        tracing::warn!(
            key,
            cause,
            "a report that no record points to cannot be removed now; a later sweep tries again"
        );
    }
}
