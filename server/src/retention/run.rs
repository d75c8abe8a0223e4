//! Going through all reports once.

use super::{Rules, rules::Report};
use crate::{
    ingest,
    reports::{Reports, ReportsError},
    store::{KeptReport, ReportSeries, Store, StoreError, now},
};
use tokio::task;

/// Reports that are let go of in one transaction: while it writes, uploads wait.
const AT_ONCE: usize = 100;

/// What was removed, or would be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Reports that there were.
    pub reports: u64,
    /// Of these, the ones that go.
    pub removed: u64,
    /// Bytes that they take.
    pub bytes: u64,
}

/// Removes the reports that the rules say are to go, or, where `is_dry`, only counts them. `tell` hears of each and its bytes.
///
/// # Errors
///
/// When the database fails. What is gone then is gone; the rest goes the next time.
pub async fn prune(
    store: &Store,
    reports: &Reports,
    rules: Rules,
    is_dry: bool,
    mut tell: impl FnMut(&ReportSeries, &KeptReport, u64),
) -> Result<Pruned, StoreError> {
    let (mut pruned, mut series) = (Pruned::default(), None);
    if !rules.are_set() {
        return Ok(pruned);
    }
    while let Some(next) = store.next_report_series(series.as_ref()).await? {
        let all = store.reports_of(&next).await?;
        pruned.reports += all.len() as u64;
        let to_go = to_go(&all, rules);
        for some in to_go.chunks(AT_ONCE) {
            for report in some {
                let bytes = size(reports, &report.key).await;
                tell(&next, report, bytes);
                pruned.bytes += bytes;
            }
            pruned.removed += match is_dry {
                true => some.len() as u64,
                false => {
                    let keys = store.let_go_of_reports(&next, some).await?;
                    ingest::remove_reports(store, reports, &keys).await;
                    keys.len() as u64
                }
            };
        }
        series = Some(next);
    }
    Ok(pruned)
}

fn to_go(all: &[KeptReport], rules: Rules) -> Vec<KeptReport> {
    let described: Vec<_> = all
        .iter()
        .map(|report| Report {
            at: report.updated_at,
            is_safe: report.is_safe,
        })
        .collect();
    let removed = rules.removed(&described, now());
    let to_go = all.iter().zip(removed).filter(|(_, removed)| *removed);
    to_go.map(|(report, _)| report.clone()).collect()
}

/// A report that is not there takes nothing.
async fn size(reports: &Reports, key: &str) -> u64 {
    let (reports, key) = (reports.clone(), key.to_owned());
    let size = task::spawn_blocking(move || reports.size(&key)).await;
    match size {
        Ok(Ok(size)) => size,
        Ok(Err(ReportsError::Missing)) => 0,
        Ok(Err(error)) => {
            tracing::warn!(%error, "the size of a report is not known");
            0
        }
        Err(_) => 0,
    }
}
