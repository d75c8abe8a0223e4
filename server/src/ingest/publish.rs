//! The order in which an upload becomes visible and what it replaces goes: whatever moment a crash picks, nothing
//! acknowledged is lost, nothing half is seen, and what is left over is known.
//!
//! 1. The report's key is [reserved](crate::store::Store::reserve_report).
//! 2. The report is synced and renamed to its key, or in a bucket its last part is sent and all of them are put together.
//! 3. One transaction takes the key for the record, and marks for deletion the key of the report that it replaces.
//! 4. Marked reports are removed and then forgotten: one that no record ever pointed to at once, one that was replaced by
//!    the [sweeper](crate::reports::sweeper) once the grace is over, as an older copy of the database may point to it.

use super::{Ingest, IngestError};
use crate::{
    reports::{
        StagedReport,
        removal::{IfMissing, remove, remove_marked, report_failure},
    },
    store::{NewRecord, Published, Standing},
};
use tokio::task;

/// Stores the report, which no record points to yet, and returns its key and its bytes.
pub(super) async fn store_report(
    ingest: &Ingest,
    staged: StagedReport,
) -> Result<(String, u64), IngestError> {
    let key = staged.key().to_owned();
    ingest.store.reserve_report(&key).await?;
    let reports = ingest.reports.clone();
    let stored = task::spawn_blocking(move || reports.store(staged));
    let stored = stored.await.map_err(IngestError::Panicked)?;
    match stored {
        Ok(bytes) => Ok((key, bytes)),
        Err(error) => {
            discard(ingest, &key, IfMissing::after(&error)).await;
            Err(error.into())
        }
    }
}

/// Makes the record the current one of its branch, and removes what it replaces where no grace is given, or no room is left.
pub(super) async fn store_record(
    ingest: &Ingest,
    new: &NewRecord,
) -> Result<Published, IngestError> {
    let published = ingest
        .store
        .publish_within(new, &ingest.limits.quotas())
        .await;
    if let Ok(Published {
        replaced_report: Some(key),
        ..
    }) = &published
    {
        // Addresses of its version lead to the new one from now on.
        ingest.reports.close(key);
    }
    let uploaded = new.report.as_ref().map(|report| report.key.as_str());
    let unused = match &published {
        Ok(published) if matches!(published.standing, Standing::Kept(_)) => uploaded,
        Ok(published) if ingest.grace.is_zero() => published.replaced_report.as_deref(),
        Ok(_) => None,
        Err(_) => uploaded,
    };
    if let Some(key) = unused {
        discard(ingest, key, IfMissing::Forget).await;
    }
    let published = published?;
    remove_marked(&ingest.store, &ingest.reports, &published.crowded_out).await;
    Ok(published)
}

/// Removes a report that no record points to. What does not work now, the sweeper does.
async fn discard(ingest: &Ingest, key: &str, if_missing: IfMissing) {
    let discarded = async {
        match ingest.store.mark_deleted(key).await? {
            true => remove(&ingest.store, &ingest.reports, key, if_missing).await,
            // A transaction that seemed to fail has stored its record after all.
            false => Ok(()),
        }
    };
    report_failure(key, discarded.await);
}
