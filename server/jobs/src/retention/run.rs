//! One run of the retention over all reports.

use super::{Rules, rules::removed};
use crate::sweeper;
use config::ReportGrace;
use domain::text::chain;
use ingest::removal::remove_marked;
use objects::{Reports, ReportsError};
use std::error::Error;
use store::{KeptReport, ReportSeries, Store, StoreError, actor::Actor, now};
use thiserror::Error;
use tokio::task::{self, JoinError};

/// The maximum number of reports released in one transaction. Uploads wait while it writes.
const BATCH_REPORTS: usize = 100;

/// The number of branches and languages that may fail before the run stops. A branch fails, for example, while an import locks
/// its repository.
const MAX_FAILURES: usize = 10;

/// The numbers of a run. A dry run counts what a real run would remove.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Reports found.
    pub reports: u64,
    /// Reports removed.
    pub removed: u64,
    /// The size of the removed reports.
    pub bytes: u64,
}

/// Why a run did not finish.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PruneError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// The storage failed.
    #[error("cannot read a report")]
    Reports(#[source] Box<dyn Error + Send + Sync>),
}

/// The options of a run.
#[derive(Clone, Copy, Debug)]
pub struct Pruning {
    /// The retention rules.
    pub rules: Rules,
    /// The grace period of the files.
    pub grace: ReportGrace,
    /// Whether the run only counts reports.
    pub is_dry: bool,
}

/// Removes the reports that the rules do not keep, and counts them in `pruned`. A dry run only counts. Calls `tell` with each
/// report and its bytes. `by` is the actor for the audit log. The files are removed after the grace period: at once if it is
/// zero, otherwise by a sweep or a later run.
///
/// # Errors
///
/// If the database or the storage fails. The counted reports are removed; the next run removes the rest.
pub async fn prune(
    store: &Store,
    reports: &Reports,
    pruning: Pruning,
    by: &Actor,
    pruned: &mut Pruned,
    mut tell: impl FnMut(&ReportSeries, &KeptReport, u64),
) -> Result<(), PruneError> {
    if !pruning.is_dry {
        // Also removes the files that an earlier run could not remove.
        sweeper::remove_all_due(store, reports, pruning.grace).await?;
    }
    let (mut series, mut failures) = (None, Vec::new());
    while let Some(next) = store.writer().next_report_series(series.as_ref()).await? {
        let mut tell = |report: &KeptReport, bytes| tell(&next, report, bytes);
        let done = prune_series(store, reports, pruning, by, &next, pruned, &mut tell).await;
        if let Err(error) = done {
            tracing::warn!(
                repository = %next.repository,
                branch = %next.branch,
                cause = chain(&error),
                "cannot prune the reports of a branch"
            );
            failures.push(error);
            if failures.len() >= MAX_FAILURES {
                break;
            }
        }
        series = Some(next);
    }
    failures.into_iter().next().map_or(Ok(()), Err)
}

async fn prune_series(
    store: &Store,
    reports: &Reports,
    pruning: Pruning,
    by: &Actor,
    series: &ReportSeries,
    pruned: &mut Pruned,
    tell: &mut impl FnMut(&KeptReport, u64),
) -> Result<(), PruneError> {
    let all = store.writer().reports_of(series).await?;
    pruned.reports += all.len() as u64;
    for batch in to_go(&all, pruning.rules).chunks(BATCH_REPORTS) {
        let mut sizes = Vec::with_capacity(batch.len());
        for report in batch {
            sizes.push(size(reports, &report.key).await?);
        }
        let released = if pruning.is_dry {
            batch.iter().map(|report| report.key.clone()).collect()
        } else {
            store.writer().release_reports(series, batch, by).await?
        };
        for (report, bytes) in batch.iter().zip(sizes) {
            if released.contains(&report.key) {
                tell(report, bytes);
                pruned.removed += 1;
                pruned.bytes += bytes;
            }
        }
        if pruning.is_dry {
            continue;
        }
        if pruning.grace.is_zero() {
            remove_marked(store, reports, &released).await;
        } else {
            released.iter().for_each(|key| reports.close(key));
        }
    }
    Ok(())
}

pub(super) fn to_go(all: &[KeptReport], rules: Rules) -> Vec<KeptReport> {
    removed(rules, all, |report| report.judged, now())
        .into_iter()
        .cloned()
        .collect()
}

/// Returns the size of a report; 0 if it is missing.
async fn size(reports: &Reports, key: &str) -> Result<u64, PruneError> {
    let (reports, key) = (reports.clone(), key.to_owned());
    let size = task::spawn_blocking(move || reports.size(&key)).await;
    match size.map_err(|error: JoinError| PruneError::Reports(error.into()))? {
        Ok(size) => Ok(size),
        Err(ReportsError::Missing) => Ok(0),
        Err(error) => Err(PruneError::Reports(error.into())),
    }
}
