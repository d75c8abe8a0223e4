//! Reading reports to their end.

use super::{Finding, Outcome, VerifyError, found_missing, in_thread};
use crate::{
    reports::{Reports, ReportsError},
    store::{PointedReport, Store},
    text::chain,
};
use futures::{StreamExt, stream};
use std::io::ErrorKind;

/// Reports that are read at the same time.
const AT_ONCE: usize = 4;

/// Reads them, and tells which are damaged.
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
    let mut checks = stream::iter(checks).buffer_unordered(AT_ONCE);
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

/// A disk that cannot read a file is as bad as a file that is not what was written. A storage that does not answer, or does
/// not let this program read, says nothing about the report.
fn is_damage(error: &ReportsError) -> bool {
    match error {
        ReportsError::Damaged(_) => true,
        ReportsError::Io(error) => error.kind() != ErrorKind::PermissionDenied,
        _ => false,
    }
}
