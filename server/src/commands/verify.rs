//! `coverage-dashboard verify`: checks the database and the stored HTML reports, and repairs what it can.

use crate::{
    commands::{
        CommandError,
        database::{DatabaseArguments, StorageArguments},
        refuse,
        terminal::confirm,
    },
    operations::verify::{self, Contents, Outcome},
};
use clap::Args;
use objects::Reports;
use std::io::BufRead;
use store::Store;

/// Checks that every HTML report of the database is stored and every stored report has a record, that reports match their
/// checksums, and that data derived from records matches the records. The service may be running. Prints a line for each
/// finding. Exit code 0 if there is none, 1 if there are some, repaired or not, 2 if something could not be checked.
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

    #[command(flatten)]
    pub storage: StorageArguments,

    #[command(flatten)]
    pub database: DatabaseArguments,
}

const INCOMPLETE: &str = "not everything was checked";
const NO_TERMINAL: &str = "confirmation needs a terminal; add --yes to repair without asking";

/// Checks, and repairs with `--repair`. Returns whether there were no findings. An error means that something could not be
/// checked; earlier findings are printed. `terminal` is where answers come from, if there is a terminal.
pub(crate) async fn run(
    arguments: VerifyArguments,
    terminal: Option<impl BufRead>,
    mut outcome: Outcome<'_>,
) -> Result<bool, CommandError> {
    if arguments.repair && !arguments.yes && terminal.is_none() {
        return refuse(NO_TERMINAL);
    }
    let store = arguments.database.open(&mut outcome.notes()).await?;
    let reports = arguments.storage.open("cannot use HTML reports").await?;
    let done = check(&arguments, &store, &reports, terminal, outcome).await;
    reports.settle().await;
    store.close().await;
    done
}

async fn check(
    arguments: &VerifyArguments,
    store: &Store,
    reports: &Reports,
    terminal: Option<impl BufRead>,
    mut outcome: Outcome<'_>,
) -> Result<bool, CommandError> {
    let contents = if arguments.all {
        Contents::All
    } else {
        Contents::Sample(arguments.sample)
    };
    let done = verify::verify(store, reports, contents, &mut outcome).await;
    done.map_err(CommandError::failed(INCOMPLETE))?;
    let (records, present) = (outcome.records, outcome.present);
    let (read, found) = (outcome.read, outcome.found);
    outcome.note(&format!(
        "{records} records with a report; {present} of these reports are stored, {read} were read completely; {found} findings"
    ))?;
    let repairable = outcome.repairable.len();
    match (repairable, arguments.repair) {
        (0, _) => return Ok(found == 0),
        (_, false) => {
            outcome.note(&format!(
                "--repair repairs {repairable} of the findings; copy the database first"
            ))?;
            return Ok(false);
        }
        _ => {}
    }
    let is_about_storage = |finding: &verify::Finding| finding.is_about_storage();
    if present == 0 && outcome.repairable.iter().any(is_about_storage) {
        let url = &arguments.storage.reports_url;
        return refuse(format!(
            "nothing was repaired: none of the reports in {url} belongs to a record of this database; check REPORTS_URL and DATABASE_URL"
        ));
    }
    if !arguments.yes {
        let Some(mut terminal) = terminal else {
            return refuse(NO_TERMINAL);
        };
        let question = format!("Repair {repairable} of the findings?");
        if !confirm(&question, &mut terminal, &mut outcome.notes())? {
            outcome.note("nothing was repaired")?;
            return Ok(false);
        }
    }
    let repaired = verify::repair(store, &mut outcome).await;
    let repaired = repaired.map_err(CommandError::failed(INCOMPLETE))?;
    outcome.note(&format!(
        "{repaired} findings were repaired; run verify again to see what is left"
    ))?;
    Ok(false)
}
