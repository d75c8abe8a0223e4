//! `coverage-dashboard prune`, `pin` and `unpin`: removes HTML reports by the retention rules, or exempts some.

use crate::commands::{
    CommandError,
    database::{DatabaseArguments, StorageArguments},
};
use clap::Args;
use config::{ReportGrace, Retention, RetentionError};
use domain::text::printed;
use jobs::{
    retention::{self, Pruned, Pruning, Rules},
    sweeper,
};
use objects::Reports;
use std::io::{self, Write};
use store::{KeptReport, ReportSeries, Store, actor::Actor};

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

    #[command(flatten)]
    pub retention: Retention,

    /// How long the service keeps the files of replaced and pruned HTML reports, such as 7d.
    #[arg(long, env = "REPORT_GRACE", default_value = "7d")]
    pub report_grace: ReportGrace,

    #[command(flatten)]
    pub storage: StorageArguments,

    #[command(flatten)]
    pub database: DatabaseArguments,
}

impl PruneArguments {
    fn grace(&self) -> ReportGrace {
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

    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// Removes HTML reports, or with `--dry-run` only lists them. `out` gets a line for each report; messages for people go to
/// `notes`. After an error, reports that were removed stay removed.
pub(crate) async fn prune(
    arguments: PruneArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let rules = match arguments.retention.rules() {
        // Without a rule, reports that were replaced or pruned earlier are still removed.
        Err(RetentionError::NoRules) if arguments.now && !arguments.dry_run => None,
        rules => Some(rules.map_err(CommandError::failed("nothing was removed"))?),
    };
    let prune = async |store: &Store, notes: &mut _| {
        let reports = arguments.storage.open("the reports").await?;
        let done = match rules {
            Some(rules) => prune_by(rules, &arguments, store, &reports, out, notes).await,
            None => Ok(()),
        };
        let done = match done {
            Ok(()) => remove_released(&arguments, store, &reports, notes).await,
            failed => failed,
        };
        reports.settle().await;
        done
    };
    arguments.database.with(notes, prune).await
}

async fn prune_by(
    rules: Rules,
    arguments: &PruneArguments,
    store: &Store,
    reports: &Reports,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
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
    let would = if arguments.dry_run {
        "would be removed"
    } else {
        "were removed"
    };
    writeln!(
        notes,
        "{} of {} reports {would}, {} bytes; coverage numbers stay",
        pruned.removed, pruned.reports, pruned.bytes
    )?;
    done.map_err(CommandError::failed("not all reports could be removed"))?;
    Ok(printed?)
}

/// Removes the files that no record points to and whose grace period is over, and prints how many are left.
async fn remove_released(
    arguments: &PruneArguments,
    store: &Store,
    reports: &Reports,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
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
    let (repository, branch, language) = (&series.repository, &series.branch, &series.language);
    let (id, at, branch) = (
        report.record_id,
        report.judged.updated_at.machine(),
        printed(branch),
    );
    let commit = &report.commit;
    writeln!(
        out,
        "{id}\t{bytes}\t{at}\t{repository}\t{branch}\t{language}\t{commit}"
    )
}

/// Exempts the HTML report of a record from the retention rules, or applies them again.
pub(crate) async fn pin(
    arguments: PinArguments,
    is_pinned: bool,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let id = arguments.record;
    let pin = async |store: &Store, _: &mut _| {
        let pinned = store.operator().pin_record(id, is_pinned).await;
        Ok(pinned?)
    };
    let done = match (arguments.database.with(notes, pin).await?, is_pinned) {
        (None, _) => return Err(CommandError::no_record(id)),
        (Some(false), true) => "does not exist; an uploaded report will be kept forever",
        (Some(true), true) => "is kept forever",
        (Some(_), false) => "follows the retention rules again",
    };
    writeln!(notes, "The report of record {id} {done}.")?;
    Ok(())
}
