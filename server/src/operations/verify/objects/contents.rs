//! Reads reports to their end to check their content.

use super::{Finding, Outcome, VerifyError, found_missing, in_thread};
use domain::text::chain;
use futures::{StreamExt, stream};
use objects::{Reports, ReportsError};
use std::io::ErrorKind;
use store::{PointedReport, Store};

/// The number of reports read at the same time.
const CONCURRENT_READS: usize = 4;

/// Reads the chosen reports, and reports damaged ones.
pub(super) async fn check(
    store: &Store,
    reports: &Reports,
    chosen: &[PointedReport],
    outcome: &mut Outcome<'_>,
) -> Result<(), VerifyError> {
    let checks = chosen.iter().map(async |report| {
        let key = report.key.clone();
        let checked = in_thread(reports, move |reports| reports.check_report(&key));
        (report, checked.await)
    });
    let mut checks = stream::iter(checks).buffer_unordered(CONCURRENT_READS);
    while let Some((report, checked)) = checks.next().await {
        match checked? {
            Ok(()) => outcome.read += 1,
            Err(ReportsError::Missing) => found_missing(store, report, outcome).await?,
            Err(error) if is_damage(&error) => {
                let detail = format!("its report {}: {}", report.key, chain(&error));
                outcome.found(Finding::of_report("damaged_report", report, detail))?;
            }
            Err(error) => return Err(error.into()),
        }
        let read = outcome.read;
        outcome.progress(|| format!("reading reports, {read} so far"))?;
    }
    Ok(())
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
