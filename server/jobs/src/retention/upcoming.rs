//! Computes which of the present reports the retention rules will remove at given times.

use super::{Rules, rules::removed};
use domain::{Stored, Timestamp};
use futures::TryStreamExt;
use std::pin::pin;
use store::{SizedReport, Store, StoreError};

/// The reports that the rules will remove, and the exempt ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upcoming<const TIMES: usize> {
    /// The reports removed by each of the times.
    pub removed: [Stored; TIMES],
    /// The reports that are never removed: of pinned records, and the newest one of each main branch.
    pub exempt: Stored,
}

/// Computes what a run of the rules at each of the times would remove. Removes nothing.
pub async fn upcoming<const TIMES: usize>(
    store: &Store,
    rules: Rules,
    times: [Timestamp; TIMES],
) -> Result<Upcoming<TIMES>, StoreError> {
    let mut sum = Upcoming {
        removed: [Stored::default(); TIMES],
        exempt: Stored::default(),
    };
    let mut reports = pin!(store.writer().report_sizes());
    let mut series: Vec<SizedReport> = Vec::new();
    while let Some(report) = reports.try_next().await? {
        let is_other = |last: &SizedReport| {
            (last.branch_id, &last.language) != (report.branch_id, &report.language)
        };
        if series.last().is_some_and(is_other) {
            sum.add(&series, rules, times);
            series.clear();
        }
        series.push(report);
    }
    sum.add(&series, rules, times);
    Ok(sum)
}

impl<const TIMES: usize> Upcoming<TIMES> {
    fn add(&mut self, series: &[SizedReport], rules: Rules, times: [Timestamp; TIMES]) {
        for (sum, at) in self.removed.iter_mut().zip(times) {
            let removed = removed(rules, series, |report| report.facts, at);
            *sum = removed.into_iter().map(one).fold(*sum, Stored::plus);
        }
        let exempt = series.iter().filter(|report| report.facts.is_safe);
        self.exempt = exempt.map(one).fold(self.exempt, Stored::plus);
    }
}

fn one(report: &SizedReport) -> Stored {
    Stored {
        reports: 1,
        bytes: report.bytes,
    }
}
