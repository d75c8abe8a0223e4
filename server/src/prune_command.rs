//! `coverage-dashboard prune`, `pin` and `unpin`: what retention removes, and what it must not.

use crate::{
    config::{PinArguments, PruneArguments, ReportsUrl, RetentionError},
    database,
    reports::Reports,
    retention::{self, PruneError, Pruned},
    store::{KeptReport, ReportSeries, StoreError},
};
use std::{
    error::Error,
    io::{self, Write},
};
use thiserror::Error;

/// Why the command did not do what it was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PruneCommandError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// Reports cannot be reached.
    #[error("cannot use the reports in {url}")]
    Reports {
        /// Where they should be.
        url: ReportsUrl,
        /// What went wrong.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// It is not said what is to go.
    #[error("nothing was removed")]
    Rules(#[from] RetentionError),
    /// Not all that is to go has gone.
    #[error("not all reports could be removed")]
    Prune(#[from] PruneError),
    /// There is no such record.
    #[error("there is no record {0}; its number stands in the address of its page")]
    NoRecord(i64),
    /// The output was closed.
    #[error("cannot print")]
    Output(#[from] io::Error),
}

/// Removes reports, or says which would go. A line for each goes to `out`, what is for people to `notes`.
///
/// # Errors
///
/// When it cannot be done. What is gone then is gone.
pub async fn prune(
    arguments: PruneArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), PruneCommandError> {
    let rules = arguments.retention.rules()?;
    let store = database::open(&arguments.database_url, notes).await?;
    let reports = open(&arguments).await;
    let reports = reports.map_err(|source| PruneCommandError::Reports {
        url: arguments.reports_url.clone(),
        source,
    })?;
    let (is_dry, mut pruned, mut printed) = (arguments.dry_run, Pruned::default(), Ok(()));
    let tell = |series: &ReportSeries, report: &KeptReport, bytes| {
        if (is_dry || arguments.list) && printed.is_ok() {
            printed = print(out, series, report, bytes);
        }
    };
    let done = retention::prune(&store, &reports, rules, is_dry, &mut pruned, tell).await;
    reports.settle().await;
    store.close().await;
    let Pruned {
        reports,
        removed,
        bytes,
    } = pruned;
    let would = match is_dry {
        true => "would go",
        false => "are gone",
    };
    writeln!(
        notes,
        "{removed} of {reports} reports {would}, {bytes} bytes; coverage numbers stay"
    )?;
    done?;
    Ok(printed?)
}

/// The reports of the service. A folder that is not there is a mistake, and nothing to be made here.
async fn open(arguments: &PruneArguments) -> Result<Reports, Box<dyn Error + Send + Sync>> {
    if let ReportsUrl::Folder(folder) = &arguments.reports_url
        && !folder.is_dir()
    {
        return Err("there is no folder at this place; check REPORTS_URL".into());
    }
    Reports::open(&arguments.reports_url, &arguments.aws, None).await
}

/// Its record, bytes, moment, repository, branch, language and commit, with tabs between them.
fn print(
    out: &mut impl Write,
    series: &ReportSeries,
    report: &KeptReport,
    bytes: u64,
) -> io::Result<()> {
    let ReportSeries {
        repository,
        branch,
        language,
        ..
    } = series;
    let KeptReport {
        record_id,
        commit,
        updated_at,
        ..
    } = report;
    let at = updated_at.machine();
    writeln!(
        out,
        "{record_id}\t{bytes}\t{at}\t{repository}\t{branch}\t{language}\t{commit}"
    )
}

/// Has the report of a record kept whatever its age, or leaves that to retention again.
///
/// # Errors
///
/// When there is no such record, or the database fails.
pub async fn pin(
    arguments: PinArguments,
    is_pinned: bool,
    notes: &mut impl Write,
) -> Result<(), PruneCommandError> {
    let id = arguments.record;
    let store = database::open(&arguments.database_url, notes).await?;
    let pinned = store.pin_record(id, is_pinned).await;
    store.close().await;
    let done = match (pinned?, is_pinned) {
        (None, _) => return Err(PruneCommandError::NoRecord(id)),
        (Some(false), true) => "is not there; one that is uploaded will be kept whatever its age",
        (Some(true), true) => "is kept whatever its age",
        (Some(_), false) => "is kept for as long as retention says",
    };
    writeln!(notes, "The report of record {id} {done}.")?;
    Ok(())
}
