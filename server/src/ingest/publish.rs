//! The order in which an upload becomes visible and the replaced report is removed. After a crash at any point, no
//! acknowledged upload is lost, no partial upload is visible, and every leftover file is known.
//!
//! 1. The report's key is [reserved](crate::store::Store::reserve_report).
//! 2. The report is synced and renamed to its key. In a bucket, its last part is sent and the upload is completed.
//! 3. One transaction assigns the key to the record, and marks the key of the replaced report for deletion.
//! 4. Marked reports are removed from the storage, then from the database. A report that no record ever pointed to is
//!    removed at once. The [sweeper](crate::reports::sweeper) removes a replaced one after the grace period, because an
//!    older copy of the database may point to it.

use super::{Ingest, IngestError};
use crate::{
    reports::{
        StagedReport,
        removal::{IfMissing, remove, remove_marked, report_failure},
    },
    store::{NewRecord, Published, Standing},
};
use tokio::task;

/// Stores the report, which no record points to yet, and returns its key and its size in bytes.
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

/// Makes the record the current one of its branch. Removes the replaced report if there is no grace period, and the
/// reports that had to make room.
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
        // Its URLs now lead to the new version.
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

/// Removes a report that no record points to. If this fails, the sweeper removes it later.
async fn discard(ingest: &Ingest, key: &str, if_missing: IfMissing) {
    let discarded = async {
        if ingest.store.mark_deleted(key).await? {
            remove(&ingest.store, &ingest.reports, key, if_missing).await
        } else {
            // A transaction that seemed to fail did store its record.
            Ok(())
        }
    };
    report_failure(key, discarded.await);
}
