//! Going through all reports once.

use super::{Rules, rules::Report};
use crate::{
    config::ReportGrace,
    reports::{Reports, ReportsError, removal::remove_marked, sweeper},
    store::{KeptReport, ReportSeries, Store, StoreError, actor::Actor, now},
    text::chain,
};
use std::error::Error;
use thiserror::Error;
use tokio::task::{self, JoinError};

/// Reports that are let go of in one transaction: while it writes, uploads wait.
const AT_ONCE: usize = 100;

/// Branches and languages that may fail, as when an import holds their repository, until the others are not tried any more.
const FAILURES: usize = 10;

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

/// Why not all that is to go has gone.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PruneError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// Reports cannot be looked at.
    #[error("cannot look at a report")]
    Reports(#[source] Box<dyn Error + Send + Sync>),
}

/// How reports are removed.
#[derive(Clone, Copy, Debug)]
pub struct Pruning {
    /// Which ones.
    pub rules: Rules,
    /// How long their files stay after that.
    pub grace: ReportGrace,
    /// Whether they are only counted.
    pub is_dry: bool,
}

/// Removes the reports that the rules say are to go, or, where it is dry, only counts them, in `pruned`. `tell` hears of each
/// and its bytes; `by` is who removes them, for the audit log. Their files go once the grace is over: without one at once,
/// otherwise a sweep or a later time does it.
///
/// # Errors
///
/// When the database or the storage fails. What is counted then is gone all the same; the rest goes the next time.
pub async fn prune(
    store: &Store,
    reports: &Reports,
    pruning: Pruning,
    by: &Actor,
    pruned: &mut Pruned,
    mut tell: impl FnMut(&ReportSeries, &KeptReport, u64),
) -> Result<(), PruneError> {
    if !pruning.is_dry {
        // Also what an earlier time could not remove.
        sweeper::remove_all_due(store, reports, pruning.grace).await?;
    }
    let (mut series, mut failures) = (None, Vec::new());
    while let Some(next) = store.next_report_series(series.as_ref()).await? {
        let mut tell = |report: &KeptReport, bytes| tell(&next, report, bytes);
        let done = prune_series(store, reports, pruning, by, &next, pruned, &mut tell).await;
        if let Err(error) = done {
            tracing::warn!(
                repository = %next.repository,
                branch = %next.branch,
                cause = chain(&error),
                "the reports of a branch cannot be pruned"
            );
            failures.push(error);
            if failures.len() >= FAILURES {
                break;
            }
        }
        series = Some(next);
    }
    match failures.into_iter().next() {
        Some(first) => Err(first),
        None => Ok(()),
    }
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
    let all = store.reports_of(series).await?;
    pruned.reports += all.len() as u64;
    for some in to_go(&all, pruning.rules).chunks(AT_ONCE) {
        let mut sizes = Vec::with_capacity(some.len());
        for report in some {
            sizes.push(size(reports, &report.key).await?);
        }
        let gone = match pruning.is_dry {
            true => some.iter().map(|report| report.key.clone()).collect(),
            false => store.let_go_of_reports(series, some, by).await?,
        };
        for (report, bytes) in some.iter().zip(sizes) {
            if gone.contains(&report.key) {
                tell(report, bytes);
                pruned.removed += 1;
                pruned.bytes += bytes;
            }
        }
        if pruning.is_dry {
            continue;
        }
        match pruning.grace.is_zero() {
            true => remove_marked(store, reports, &gone).await,
            false => gone.iter().for_each(|key| reports.close(key)),
        }
    }
    Ok(())
}

/// Uploads without the right to the main branch take no place of those that had it: the rules hold for each kind by itself.
pub(super) fn to_go(all: &[KeptReport], rules: Rules) -> Vec<KeptReport> {
    let (confirmed, unconfirmed): (Vec<_>, Vec<_>) =
        all.iter().partition(|report| report.is_confirmed);
    let mut to_go = removed(&confirmed, rules);
    to_go.extend(removed(&unconfirmed, rules));
    to_go
}

fn removed(all: &[&KeptReport], rules: Rules) -> Vec<KeptReport> {
    let described: Vec<_> = all
        .iter()
        .map(|report| Report {
            at: report.updated_at,
            is_safe: report.is_safe,
        })
        .collect();
    let removed = rules.removed(&described, now());
    let to_go = all.iter().zip(removed).filter(|(_, removed)| *removed);
    to_go.map(|(report, _)| (*report).clone()).collect()
}

/// A report that is not there takes nothing.
async fn size(reports: &Reports, key: &str) -> Result<u64, PruneError> {
    let (reports, key) = (reports.clone(), key.to_owned());
    let size = task::spawn_blocking(move || reports.size(&key)).await;
    match size.map_err(|error: JoinError| PruneError::Reports(error.into()))? {
        Ok(size) => Ok(size),
        Err(ReportsError::Missing) => Ok(0),
        Err(error) => Err(PruneError::Reports(error.into())),
    }
}
