//! The sweep: removes orphaned reports at the start, regularly while the service runs, and when reports are pruned; and the source text
//! that no record names any more.
//!
//! Several services on one database may sweep at the same time: a report that one of them removed is missing for the others.

use crate::upkeep::logged;
use config::ReportGrace;
use ingest::removal::{IfMissing, remove};
use objects::Reports;
use std::time::Duration;
use store::{MarkedReport, Store, StoreError, now};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

const PAUSE: Duration = Duration::from_secs(300);

/// The maximum number of reports that a start removes. The start waits for this.
const MAX_AT_START: usize = 200;

/// The maximum number of reports that a later sweep removes.
const MAX_PER_SWEEP: usize = 1_000;

const PAGE: u32 = 100;

/// The number of failed removals after which a sweep stops, because the storage does not answer.
const MAX_FAILURES: usize = 10;

/// How long a missing report stays marked for deletion. A process that was about to store it has stopped trying by then.
const SETTLED: Duration = Duration::from_secs(300);

/// Marks the reports of interrupted uploads for deletion, and removes the due ones. Called at the start, before this process
/// accepts uploads. Later sweeps remove the reports that exceed the limit of a start.
pub async fn sweep(store: &Store, reports: &Reports, grace: ReportGrace) -> Result<(), StoreError> {
    store.writer().mark_unfinished_reports(true).await?;
    remove_due(store, reports, grace, &mut String::new(), MAX_AT_START).await
}

/// Sweeps until the returned value is dropped.
pub fn keep_sweeping(store: Store, reports: Reports, grace: ReportGrace) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        let mut cursor = String::new();
        loop {
            sleep(PAUSE).await;
            let swept = async {
                store.writer().mark_unfinished_reports(false).await?;
                remove_due(&store, &reports, grace, &mut cursor, MAX_PER_SWEEP).await
            };
            logged(swept.await, "cannot remove orphaned reports");
            let unnamed = store.writer().remove_unnamed_sources().await.map(drop);
            logged(unnamed, "cannot remove source text");
        }
    }))
}

/// Removes all reports whose grace period is over, without a limit on their number, and source text that no record names.
pub async fn remove_all_due(
    store: &Store,
    reports: &Reports,
    grace: ReportGrace,
) -> Result<(), StoreError> {
    remove_due(store, reports, grace, &mut String::new(), usize::MAX).await?;
    store.writer().remove_unnamed_sources().await.map(drop)
}

/// Removes up to `most` due reports after the key `cursor`. The cursor returns to the start when there are no more.
async fn remove_due(
    store: &Store,
    reports: &Reports,
    grace: ReportGrace,
    cursor: &mut String,
    most: usize,
) -> Result<(), StoreError> {
    let (mut seen, mut failed) = (0, 0);
    while seen < most && failed < MAX_FAILURES {
        let page = u32::try_from(most - seen).map_or(PAGE, |left| left.min(PAGE));
        let due = store.writer().due_reports(grace.0, cursor, page).await?;
        for report in &due {
            let is_removed = remove(store, reports, &report.key, if_missing(report)).await;
            failed += usize::from(!is_removed);
        }
        seen += due.len();
        match due.into_iter().next_back() {
            Some(last) => *cursor = last.key,
            None => {
                cursor.clear();
                break;
            }
        }
    }
    if seen > 0 {
        tracing::info!(reports = seen - failed, failed, "removed orphaned reports");
    }
    Ok(())
}

fn if_missing(report: &MarkedReport) -> IfMissing {
    let age = now().0.saturating_sub(report.marked_at.0);
    if u128::try_from(age).is_ok_and(|age| age > SETTLED.as_micros()) {
        IfMissing::Forget
    } else {
        IfMissing::Remember
    }
}
