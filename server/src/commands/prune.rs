//! `coverage-dashboard prune`, `pin` and `unpin`: removes HTML reports by the retention rules, or exempts some.

use crate::commands::database::DatabaseArguments;
use clap::Args;
use config::{ReportGrace, Retention, RetentionError};
use domain::text::printed;
use jobs::{
    retention::{self, PruneError, Pruned, Pruning, Rules},
    sweeper,
};
use objects::{AwsVariables, Reports, ReportsUrl};
use std::{
    error::Error,
    io::{self, Write},
};
use store::{KeptReport, ReportSeries, Store, StoreError, actor::Actor};
use thiserror::Error;

/// Removes the HTML reports that the retention rules do not keep. Coverage numbers stay. With PRUNE_AT the service does the
/// same every night. Files stay for the grace period, for copies of the database; then the service removes them.
#[derive(Clone, Debug, Args)]
pub struct PruneArguments {
    /// List what would be removed and its size, and remove nothing.
    #[arg(long)]
    pub dry_run: bool,

    /// List what is removed: record, bytes, time, repository, branch, language and commit, separated by tabs.
    #[arg(long)]
    pub list: bool,

    /// Remove files at once, also files of HTML reports within the grace period. Older copies of the database
    /// may need them.
    #[arg(long)]
    pub now: bool,

    /// How long reports are kept.
    #[command(flatten)]
    pub retention: Retention,

    /// How long the service keeps the files of replaced and pruned HTML reports, such as 7d.
    #[arg(long, env = "REPORT_GRACE", default_value = "7d")]
    pub report_grace: ReportGrace,

    /// Where the service stores HTML reports.
    #[arg(long, env = "REPORTS_URL", default_value = "public/reports")]
    pub reports_url: ReportsUrl,

    /// How to connect to a bucket.
    #[arg(skip = AwsVariables::of_process())]
    pub aws: AwsVariables,

    /// The database of the service.
    #[command(flatten)]
    pub database: DatabaseArguments,
}

impl PruneArguments {
    /// The grace period to use.
    pub fn grace(&self) -> ReportGrace {
        if self.now {
            ReportGrace::NONE
        } else {
            self.report_grace
        }
    }
}

/// A record whose HTML report is pinned or unpinned.
#[derive(Clone, Debug, Args)]
pub struct PinArguments {
    /// The number of the record, as in the address of its page.
    pub record: i64,

    /// The database of the service.
    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// Why the command failed.
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
    /// There are no retention rules.
    #[error("nothing was removed")]
    Rules(#[from] RetentionError),
    /// Some reports could not be removed.
    #[error("not all reports could be removed")]
    Prune(#[from] PruneError),
    /// There is no such record.
    #[error("there is no record {0}; the number of a record is in the address of its page")]
    NoRecord(i64),
    /// The output was closed.
    #[error("cannot print")]
    Output(#[from] io::Error),
}

/// Removes HTML reports, or with `--dry-run` only lists them. `out` gets a line for each report; messages for people go to
/// `notes`. After an error, reports that were removed stay removed.
pub async fn prune(
    arguments: PruneArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), PruneCommandError> {
    let rules = match arguments.retention.rules() {
        // Without a rule, reports that were replaced or pruned earlier are still removed.
        Err(RetentionError::NoRules) if arguments.now && !arguments.dry_run => None,
        rules => Some(rules?),
    };
    let store = arguments.database.open(notes).await?;
    let reports = Reports::open_existing(&arguments.reports_url, &arguments.aws).await;
    let reports = reports.map_err(|source| PruneCommandError::Reports {
        url: arguments.reports_url.clone(),
        source,
    })?;
    let done = match rules {
        Some(rules) => prune_by(rules, &arguments, &store, &reports, out, notes).await,
        None => Ok(()),
    };
    let done = match done {
        Ok(()) => remove_released(&arguments, &store, &reports, notes).await,
        failed => failed,
    };
    reports.settle().await;
    store.close().await;
    done
}

async fn prune_by(
    rules: Rules,
    arguments: &PruneArguments,
    store: &Store,
    reports: &Reports,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), PruneCommandError> {
    let pruning = Pruning {
        rules,
        grace: arguments.grace(),
        is_dry: arguments.dry_run,
    };
    let (mut pruned, mut printed) = (Pruned::default(), Ok(()));
    let tell = |series: &ReportSeries, report: &KeptReport, bytes| {
        if (arguments.dry_run || arguments.list) && printed.is_ok() {
            printed = print(out, series, report, bytes);
        }
    };
    let by = Actor::command();
    let done = retention::prune(store, reports, pruning, &by, &mut pruned, tell).await;
    let Pruned {
        reports,
        removed,
        bytes,
    } = pruned;
    let would = if arguments.dry_run {
        "would be removed"
    } else {
        "were removed"
    };
    writeln!(
        notes,
        "{removed} of {reports} reports {would}, {bytes} bytes; coverage numbers stay"
    )?;
    done?;
    Ok(printed?)
}

/// Removes the files that no record points to and whose grace period is over, and prints how many are left.
async fn remove_released(
    arguments: &PruneArguments,
    store: &Store,
    reports: &Reports,
    notes: &mut impl Write,
) -> Result<(), PruneCommandError> {
    if arguments.dry_run {
        return Ok(());
    }
    sweeper::remove_all_due(store, reports, arguments.grace()).await?;
    let left = store.operator().count_released_reports().await?;
    if left > 0 {
        let grace = match arguments.grace() {
            ReportGrace::NONE => "could not be removed now; the service will try again".to_owned(),
            grace => format!(
                "stay for {grace} after they were replaced or pruned, for copies of the database (REPORT_GRACE); --now removes them at once"
            ),
        };
        writeln!(
            notes,
            "the files of {left} reports without a record {grace}"
        )?;
    }
    Ok(())
}

/// Prints record, bytes, time, repository, branch, language and commit, separated by tabs.
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
        "{record_id}\t{bytes}\t{at}\t{repository}\t{}\t{language}\t{commit}",
        printed(branch)
    )
}

/// Exempts the HTML report of a record from the retention rules, or applies them again.
pub async fn pin(
    arguments: PinArguments,
    is_pinned: bool,
    notes: &mut impl Write,
) -> Result<(), PruneCommandError> {
    let id = arguments.record;
    let store = arguments.database.open(notes).await?;
    let pinned = store.operator().pin_record(id, is_pinned).await;
    store.close().await;
    let done = match (pinned?, is_pinned) {
        (None, _) => return Err(PruneCommandError::NoRecord(id)),
        (Some(false), true) => "does not exist; an uploaded report will be kept forever",
        (Some(true), true) => "is kept forever",
        (Some(_), false) => "follows the retention rules again",
    };
    writeln!(notes, "The report of record {id} {done}.")?;
    Ok(())
}
