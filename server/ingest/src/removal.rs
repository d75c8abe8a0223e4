//! Removes stored reports that no record points to, also to make room for an upload that finds the storage full.

use domain::text::chain;
use objects::{Reports, ReportsError};
use std::error::Error;
use store::{Store, StoreError};
use tokio::{sync::Mutex, task};

/// Removes reports that are marked for deletion. If a report is missing or cannot be removed now, a later sweep tries again: a
/// command may have another storage configured than the service.
pub async fn remove_marked(store: &Store, reports: &Reports, keys: &[String]) {
    for key in keys {
        remove(store, reports, key, IfMissing::Remember).await;
    }
}

/// What to do if a report is missing from the storage.
#[derive(Clone, Copy)]
pub enum IfMissing {
    /// Forget the key: the report was never stored, or a crash came between the removals of the report and of its key.
    Forget,
    /// Keep the key: the report may still appear, from another process or because the storage did not confirm. A later sweep
    /// checks again.
    Remember,
}

impl IfMissing {
    /// Returns the choice after storing a report failed with `error`.
    pub fn after(error: &ReportsError) -> Self {
        match error {
            ReportsError::Storage(_) => Self::Remember,
            _ => Self::Forget,
        }
    }
}

/// Removes a report marked for deletion from the storage, then its key from the database. Returns whether this succeeded; a
/// failure is logged.
pub async fn remove(store: &Store, reports: &Reports, key: &str, if_missing: IfMissing) -> bool {
    let removed: Result<(), Box<dyn Error + Send + Sync>> = async {
        let (reports, removed) = (reports.clone(), key.to_owned());
        let removed = task::spawn_blocking(move || reports.remove(&removed));
        match (removed.await?, if_missing) {
            (Err(ReportsError::Missing), IfMissing::Remember) => {}
            (Ok(()) | Err(ReportsError::Missing), _) => store.writer().forget_report(key).await?,
            (Err(error), _) => return Err(error.into()),
        }
        Ok(())
    }
    .await;
    if let Err(error) = &removed {
        log_failure(key, &**error);
    }
    removed.is_ok()
}

/// Logs that a report was not removed.
pub(crate) fn log_failure(key: &str, error: &(dyn Error + 'static)) {
    let cause = chain(error);
    tracing::warn!(
        key,
        cause,
        "cannot remove an orphaned report; a later sweep tries again"
    );
}

/// The most reports that are removed at a time.
const PAGE: u32 = 100;

/// Held while room is made, so that concurrent uploads that find the storage full do this only once.
static MAKING_ROOM: Mutex<()> = Mutex::const_new(());

/// Removes replaced and pruned reports, the oldest first, until `bytes` bytes are free. Called if an upload found the storage
/// full: new reports matter more than reports that only an older copy of the database points to.
pub(crate) async fn make_room(
    store: &Store,
    reports: &Reports,
    bytes: u64,
) -> Result<(), StoreError> {
    let Ok(_alone) = MAKING_ROOM.try_lock() else {
        return Ok(());
    };
    let (mut removed, mut freed) = (0, 0);
    for key in store.writer().released_reports(PAGE).await? {
        if freed >= bytes {
            break;
        }
        let size = reports.size(&key).await.unwrap_or(0);
        if remove(store, reports, &key, IfMissing::Remember).await {
            removed += 1;
            freed += size;
        }
    }
    if removed > 0 {
        tracing::warn!(
            reports = removed,
            bytes = freed,
            "the storage is full: removed replaced reports before the end of REPORT_GRACE; older copies of the database may point to missing reports"
        );
    }
    Ok(())
}
