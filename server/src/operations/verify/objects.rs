//! Compares records with stored reports in both directions, in the order of keys. It processes a 256th at a time, so that memory
//! is bounded.

use super::{Finding, Outcome, Repair, VerifyError};
use ::objects::{Reports, ReportsError};
use domain::text::chain;
use futures::{StreamExt, stream};
use rand::RngExt;
use std::{io::ErrorKind, time::SystemTime};
use store::{KEY_END, LONGEST_PUBLICATION, PointedReport, Store};

/// Keys begin with two hexadecimal digits, which name the folder.
const SHARDS: u32 = 256;

const PAGE: u32 = 500;

/// The number of reports read at the same time.
const CONCURRENT_READS: usize = 4;

pub(super) async fn check(
    store: &Store,
    reports: &Reports,
    contents: Contents,
    outcome: &mut Outcome<'_>,
) -> Result<(), VerifyError> {
    for report in store.operator().orphaned_reports_of_records().await? {
        let detail = "its report is marked for removal";
        outcome.found(Finding {
            repair: Some(Repair::Keep(report.clone())),
            ..Finding::of_report("removable_report", &report, detail)
        })?;
    }
    let total = store.operator().count_pointed_reports().await?;
    let mut check = Check {
        store,
        reports,
        sample: Sample::new(contents),
        outcome,
    };
    for shard in 0..SHARDS {
        check.shard(shard, total).await?;
    }
    check.contents().await
}

struct Check<'a, 'o> {
    store: &'a Store,
    reports: &'a Reports,
    sample: Sample,
    outcome: &'a mut Outcome<'o>,
}

impl Check<'_, '_> {
    async fn shard(&mut self, shard: u32, total: i64) -> Result<(), VerifyError> {
        let name = format!("{shard:02x}");
        let (from, to) = (
            // The ranges also contain keys that do not begin with hexadecimal digits.
            if shard == 0 { "" } else { name.as_str() },
            if shard + 1 == SHARDS {
                KEY_END.to_owned()
            } else {
                format!("{:02x}", shard + 1)
            },
        );
        let folder = name.clone();
        let stored = in_thread(self.reports, move |reports| reports.keys(&folder)).await??;
        let mut is_pointed_to = vec![false; stored.len()];
        let mut after = String::new();
        loop {
            let operator = self.store.operator();
            let page = operator.pointed_reports(from, &after, &to, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.key.clone();
            for report in page {
                self.outcome.records += 1;
                match stored.binary_search(&report.key) {
                    Ok(index) => {
                        is_pointed_to[index] = true;
                        self.outcome.present += 1;
                        self.sample.offer(report);
                    }
                    Err(_) => self.missing(report).await?,
                }
            }
            if self.sample.is_full() {
                self.contents().await?;
            }
            let records = self.outcome.records;
            self.outcome
                .progress(|| format!("checking reports, {records} of {total} records"))?;
        }
        let unknown = stored.into_iter().zip(is_pointed_to);
        for (key, _) in unknown.filter(|(_, is_pointed_to)| !is_pointed_to) {
            self.orphan(key).await?;
        }
        Ok(())
    }

    /// Checks a report that was not listed. It may have been stored after the listing, or its record may have released it.
    async fn missing(&mut self, report: PointedReport) -> Result<(), VerifyError> {
        match self.modified(&report.key).await? {
            Some(_) => self.outcome.present += 1,
            None => self.found_missing(&report).await?,
        }
        Ok(())
    }

    /// Reports a missing report, unless its record has released it.
    async fn found_missing(&mut self, report: &PointedReport) -> Result<(), VerifyError> {
        if self.store.operator().points_to(report).await? {
            let detail = format!("its report {} is not in the storage", report.key);
            self.outcome.found(Finding {
                repair: Some(Repair::Missing(report.clone())),
                ..Finding::of_report("missing_report", report, detail)
            })?;
        }
        Ok(())
    }

    /// Checks a listed report without a record. Since the listing, a record may point to it, or it may have been removed. A
    /// report younger than the longest publication may still get a record.
    async fn orphan(&mut self, key: String) -> Result<(), VerifyError> {
        if self.store.operator().knows_report(&key).await? {
            return Ok(());
        }
        let Some(modified) = self.modified(&key).await? else {
            return Ok(());
        };
        #[expect(
            clippy::disallowed_methods,
            reason = "it is compared with the time of a file"
        )]
        let age = SystemTime::now().duration_since(modified);
        if age.is_ok_and(|age| age > LONGEST_PUBLICATION) {
            let detail = "no record points to it, and it is not marked for removal";
            self.outcome.found(Finding {
                key: Some(key.clone()),
                repair: Some(Repair::Orphan(key)),
                ..Finding::new("orphan_report", detail)
            })?;
        }
        Ok(())
    }

    /// Returns when a report was written; `None` if it is missing.
    async fn modified(&self, key: &str) -> Result<Option<SystemTime>, VerifyError> {
        let key = key.to_owned();
        match in_thread(self.reports, move |reports| reports.modified(&key)).await? {
            Ok(modified) => Ok(Some(modified)),
            Err(ReportsError::Missing) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the chosen reports, and reports damaged ones.
    async fn contents(&mut self) -> Result<(), VerifyError> {
        let (chosen, reports) = (self.sample.take(), self.reports);
        let checks = chosen.iter().map(async |report| {
            let key = report.key.clone();
            let checked = in_thread(reports, move |reports| reports.check_report(&key));
            (report, checked.await)
        });
        let mut checks = stream::iter(checks).buffer_unordered(CONCURRENT_READS);
        while let Some((report, checked)) = checks.next().await {
            match checked? {
                Ok(()) => self.outcome.read += 1,
                Err(ReportsError::Missing) => self.found_missing(report).await?,
                Err(error) if is_damage(&error) => {
                    let detail = format!("its report {}: {}", report.key, chain(&error));
                    let finding = Finding::of_report("damaged_report", report, detail);
                    self.outcome.found(finding)?;
                }
                Err(error) => return Err(error.into()),
            }
            let read = self.outcome.read;
            self.outcome
                .progress(|| format!("reading reports, {read} so far"))?;
        }
        Ok(())
    }
}

async fn in_thread<T: Send + 'static>(
    reports: &Reports,
    work: impl FnOnce(&Reports) -> T + Send + 'static,
) -> Result<T, VerifyError> {
    let worker = reports.clone();
    Ok(reports.threads().run(move || work(&worker)).await?)
}

/// Whether an error means a damaged report. A read error of a disk does; a storage that does not answer or denies access does
/// not.
fn is_damage(error: &ReportsError) -> bool {
    match error {
        ReportsError::Damaged(_) => true,
        ReportsError::Io(error) => error.kind() != ErrorKind::PermissionDenied,
        _ => false,
    }
}

/// With [`Contents::All`], the number of reports collected before they are read.
const BATCH_REPORTS: usize = 500;

/// How many reports are read to their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    Sample(usize),
    All,
}

/// The chosen reports that are not read yet.
struct Sample {
    contents: Contents,
    chosen: Vec<PointedReport>,
    offered: usize,
}

impl Sample {
    fn new(contents: Contents) -> Self {
        Self {
            contents,
            chosen: Vec::new(),
            offered: 0,
        }
    }

    /// Offers a report. All offered reports have the same probability of being chosen.
    fn offer(&mut self, report: PointedReport) {
        self.offered += 1;
        match self.contents {
            Contents::Sample(size) if self.chosen.len() >= size => {
                let index = rand::rng().random_range(0..self.offered);
                if let Some(chosen) = self.chosen.get_mut(index) {
                    *chosen = report;
                }
            }
            _ => self.chosen.push(report),
        }
    }

    /// Whether the chosen reports should be read before more are offered.
    fn is_full(&self) -> bool {
        self.contents == Contents::All && self.chosen.len() >= BATCH_REPORTS
    }

    fn take(&mut self) -> Vec<PointedReport> {
        std::mem::take(&mut self.chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_size_and_all_means_all() {
        let chosen = |contents, offered: i64| {
            let mut sample = Sample::new(contents);
            for record_id in 0..offered {
                let key = record_id.to_string();
                sample.offer(PointedReport { record_id, key });
            }
            sample.take().len()
        };
        assert_eq!(chosen(Contents::Sample(10), 1_000), 10);
        assert_eq!(chosen(Contents::Sample(10), 3), 3);
        assert_eq!(chosen(Contents::Sample(0), 3), 0);
        assert_eq!(chosen(Contents::All, 1_000), 1_000);
    }
}
