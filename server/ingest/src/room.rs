//! Makes room for an upload that finds the storage full.

use crate::removal::{IfMissing, remove, report_failure};
use objects::Reports;
use store::{Store, StoreError};
use tokio::sync::Mutex;

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
        let size = size(reports, &key).await;
        let done = remove(store, reports, &key, IfMissing::Remember).await;
        if done.is_ok() {
            removed += 1;
            freed += size;
        }
        report_failure(&key, done);
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

/// Returns the size of a report. 0 if it cannot be read.
async fn size(reports: &Reports, key: &str) -> u64 {
    let (reports, key) = (reports.clone(), key.to_owned());
    let size = tokio::task::spawn_blocking(move || reports.size(&key)).await;
    size.ok().and_then(Result::ok).unwrap_or(0)
}
