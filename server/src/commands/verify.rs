//! `coverage-dashboard verify`: whether the database and the stored reports are whole, and repairing what can be.

use crate::{
    commands::{confirmation::confirm, database::DatabaseArguments},
    config::{AwsVariables, ReportsUrl},
    operations::verify::{self, Contents, Outcome, VerifyError},
    reports::Reports,
    store::{Store, StoreError},
};
use clap::Args;
use std::{
    error::Error,
    io::{self, BufRead, Write},
};
use thiserror::Error;

/// Compares the database with the stored reports, both ways, reads reports and compares their checksums, and compares what is
/// kept beside records with the records. A running service goes on meanwhile. Each finding is a line: exit code 0 where there
/// is none, 1 where there are some, repaired or not, 2 where not all could be looked at.
#[derive(Clone, Debug, Args)]
pub struct VerifyArguments {
    /// Repair: compute counts and summaries again, mark records whose HTML report is missing, and remove HTML reports without
    /// a record after REPORT_GRACE. Coverage numbers never change.
    #[arg(long)]
    pub repair: bool,

    /// Repair without asking. Needed without a terminal.
    #[arg(long, requires = "repair")]
    pub yes: bool,

    /// Number of HTML reports, chosen at random, of which every byte is read.
    #[arg(long, default_value_t = 100, conflicts_with = "all")]
    pub sample: usize,

    /// Read every byte of all HTML reports.
    #[arg(long)]
    pub all: bool,

    /// Print findings as NDJSON.
    #[arg(long)]
    pub json: bool,

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

/// Why not all was checked or repaired.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum VerifyCommandError {
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
    /// There is no terminal.
    #[error("there is no terminal to ask on; add --yes to repair without asking")]
    NobodyToAsk,
    /// The reports belong to another database, or the database to other reports.
    #[error(
        "nothing was repaired: none of the reports in {0} belongs to a record of this database; check REPORTS_URL and DATABASE_URL"
    )]
    OtherPlace(ReportsUrl),
    /// Not all could be looked at.
    #[error("not all was checked")]
    Verify(#[from] VerifyError),
    /// The output was closed.
    #[error("cannot print")]
    Output(#[from] io::Error),
}

/// Whoever called the command.
pub struct Caller<'a, In> {
    /// Where the answer to a question comes from; none where nobody is at a terminal.
    pub terminal: Option<In>,
    /// Whether notes are read as they come.
    pub sees_progress: bool,
    /// Where findings go.
    pub out: &'a mut dyn Write,
    /// Where notes go.
    pub notes: &'a mut dyn Write,
}

/// Checks, and repairs if that is wanted. Whether all was well.
///
/// # Errors
///
/// When not all could be looked at. What was found until then was printed.
pub async fn run(
    arguments: VerifyArguments,
    mut caller: Caller<'_, impl BufRead>,
) -> Result<bool, VerifyCommandError> {
    if arguments.repair && !arguments.yes && caller.terminal.is_none() {
        return Err(VerifyCommandError::NobodyToAsk);
    }
    let store = arguments.database.open(&mut caller.notes).await?;
    let reports = Reports::open_existing(&arguments.reports_url, &arguments.aws).await;
    let reports = reports.map_err(|source| VerifyCommandError::Reports {
        url: arguments.reports_url.clone(),
        source,
    })?;
    let done = check(&arguments, &store, &reports, caller).await;
    reports.settle().await;
    store.close().await;
    done
}

async fn check(
    arguments: &VerifyArguments,
    store: &Store,
    reports: &Reports,
    caller: Caller<'_, impl BufRead>,
) -> Result<bool, VerifyCommandError> {
    let contents = if arguments.all {
        Contents::All
    } else {
        Contents::Sample(arguments.sample)
    };
    let Caller {
        terminal,
        sees_progress,
        out,
        notes,
    } = caller;
    let mut outcome = Outcome::new(out, notes, arguments.json, sees_progress);
    verify::verify(store, reports, contents, &mut outcome).await?;
    let Outcome {
        records,
        present,
        read,
        found,
        ..
    } = outcome;
    outcome.note(&format!(
        "{records} records with a report, {present} of these reports are there, {read} were read to their end; {found} findings"
    ))?;
    let repairable = outcome.repairable.len();
    match (repairable, arguments.repair) {
        (0, _) => return Ok(found == 0),
        (_, false) => {
            outcome.note(&format!(
                "--repair repairs {repairable} of the findings; copy the database before it"
            ))?;
            return Ok(false);
        }
        _ => {}
    }
    let is_about_storage = |finding: &verify::Finding| finding.is_about_storage();
    if present == 0 && outcome.repairable.iter().any(is_about_storage) {
        let url = arguments.reports_url.clone();
        return Err(VerifyCommandError::OtherPlace(url));
    }
    if !arguments.yes {
        let mut terminal = terminal.ok_or(VerifyCommandError::NobodyToAsk)?;
        let question = format!("Repair {repairable} of the findings?");
        if !confirm(&question, &mut terminal, &mut outcome.notes())? {
            outcome.note("nothing was repaired")?;
            return Ok(false);
        }
    }
    let repaired = verify::repair(store, &mut outcome).await?;
    outcome.note(&format!(
        "{repaired} findings were repaired; run it again to see what is left"
    ))?;
    Ok(false)
}
