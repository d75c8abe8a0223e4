//! Removing stored reports that no record points to: at the start, again and again while the service runs, and early where
//! the storage is full.
//!
//! Several services on one database may sweep at once: what one has removed, another finds gone.

use super::removal::{IfMissing, remove, report_failure};
use crate::{
    config::ReportGrace,
    reports::Reports,
    store::{MarkedReport, Store, StoreError, now},
    text::chain,
};
use std::time::Duration;
use tokio::{sync::Mutex, time::sleep};
use tokio_util::task::AbortOnDropHandle;

/// From one sweep to the next.
const PAUSE: Duration = Duration::from_secs(300);

/// Reports that are removed at the start, which waits for them, and in each sweep after it.
const AT_START: usize = 200;
const AT_ONCE: usize = 1_000;

/// Reports that are looked up at a time.
const PAGE: u32 = 100;

/// Reports that may fail to be removed until a sweep is given up: the storage does not answer.
const FAILURES: usize = 10;

/// How long a marked for deletion report that is not there is remembered: whoever was about to store it has given up by then.
const SETTLED: Duration = Duration::from_secs(300);

/// Held while room is made: uploads that find the storage full together need it once.
static MAKING_ROOM: Mutex<()> = Mutex::const_new(());

/// Where a sweep goes on: after this key.
#[derive(Debug, Default)]
struct Cursor(String);

/// Marks for deletion what a crash has left of uploads, and removes what is due: called at the start, when no upload of this process is
/// under way. What is more than a start should wait for, later sweeps remove.
///
/// # Errors
///
/// When the database fails.
pub async fn sweep(store: &Store, reports: &Reports, grace: ReportGrace) -> Result<(), StoreError> {
    store.mark_unfinished_reports(true).await?;
    remove_due(store, reports, grace, &mut Cursor::default(), AT_START).await
}

/// Sweeps for as long as the value is kept.
pub fn keep_sweeping(store: Store, reports: Reports, grace: ReportGrace) -> AbortOnDropHandle<()> {
    AbortOnDropHandle::new(tokio::spawn(async move {
        let mut cursor = Cursor::default();
        loop {
            sleep(PAUSE).await;
            if let Err(error) = sweep_again(&store, &reports, grace, &mut cursor).await {
                tracing::warn!(
                    cause = chain(&error),
                    "reports that no record points to cannot be swept"
                );
            }
        }
    }))
}

async fn sweep_again(
    store: &Store,
    reports: &Reports,
    grace: ReportGrace,
    cursor: &mut Cursor,
) -> Result<(), StoreError> {
    store.mark_unfinished_reports(false).await?;
    remove_due(store, reports, grace, cursor, AT_ONCE).await
}

/// Removes all reports whose grace is over, however many they are.
///
/// # Errors
///
/// When the database fails.
pub async fn remove_all_due(
    store: &Store,
    reports: &Reports,
    grace: ReportGrace,
) -> Result<(), StoreError> {
    remove_due(store, reports, grace, &mut Cursor::default(), usize::MAX).await
}

/// Removes due reports from the cursor on, `most` of them. It is back at the beginning once there are no more.
async fn remove_due(
    store: &Store,
    reports: &Reports,
    grace: ReportGrace,
    cursor: &mut Cursor,
    most: usize,
) -> Result<(), StoreError> {
    let (mut seen, mut failed) = (0, 0);
    while seen < most && failed < FAILURES {
        let page = u32::try_from(most - seen).map_or(PAGE, |left| left.min(PAGE));
        let due = store.due_reports(grace.0, &cursor.0, page).await?;
        for report in &due {
            let removed = remove(store, reports, &report.key, if_missing(report)).await;
            failed += usize::from(removed.is_err());
            report_failure(&report.key, removed);
        }
        seen += due.len();
        match due.into_iter().next_back() {
            Some(last) => cursor.0 = last.key,
            None => {
                cursor.0.clear();
                break;
            }
        }
    }
    if seen > 0 {
        tracing::info!(
            reports = seen - failed,
            failed,
            "removed reports that no record points to"
        );
    }
    Ok(())
}

fn if_missing(report: &MarkedReport) -> IfMissing {
    let age = now().0.saturating_sub(report.marked_at.0);
    match u128::try_from(age).is_ok_and(|age| age > SETTLED.as_micros()) {
        true => IfMissing::Forget,
        false => IfMissing::Remember,
    }
}

/// Removes reports that records have released, the oldest first, until so many bytes are free: an upload has found the
/// storage full, and new reports count more than those that only an older copy of the database points to.
///
/// # Errors
///
/// When the database fails.
pub(crate) async fn make_room(
    store: &Store,
    reports: &Reports,
    bytes: u64,
) -> Result<(), StoreError> {
    let Ok(_alone) = MAKING_ROOM.try_lock() else {
        return Ok(());
    };
    let (mut removed, mut freed) = (0, 0);
    for key in store.released_reports(PAGE).await? {
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
            "the storage is full: removed replaced reports before the end of REPORT_GRACE; copies of the database that are older may miss them"
        );
    }
    Ok(())
}

/// One that cannot be looked at frees nothing.
async fn size(reports: &Reports, key: &str) -> u64 {
    let (reports, key) = (reports.clone(), key.to_owned());
    let size = tokio::task::spawn_blocking(move || reports.size(&key)).await;
    size.ok().and_then(Result::ok).unwrap_or(0)
}
