//! `coverage-dashboard rename` and `merge`: changes names in a database whose service may be running.

use crate::commands::{confirmation, database::DatabaseArguments};
use clap::Args;
use domain::NameError;
use std::io::{self, BufRead, Write};
use store::{
    HowNamesChange, Merged, Moved, NameChange, NameChangeError, Named, NamesChanged, Store,
    StoreError, actor::Actor,
};
use thiserror::Error;

/// Renames or merges. The service uses the new name from the next request on.
#[derive(Clone, Debug, Args)]
pub struct NamesArguments {
    /// The old name, such as acme/payments, or acme for all repositories of the org.
    #[arg(value_name = "OLD")]
    pub from: String,

    /// The new name.
    #[arg(value_name = "NEW")]
    pub to: String,

    /// Both names are orgs. Needed for groups, such as acme/platform.
    #[arg(long)]
    pub org: bool,

    /// Print what would change, and change nothing.
    #[arg(long)]
    pub dry_run: bool,

    /// Do not ask for confirmation. Needed without a terminal.
    #[arg(long, conflicts_with = "dry_run")]
    pub yes: bool,

    /// The database of the service.
    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// The maximum number of repositories that the output names.
const MAX_NAMED: usize = 20;

/// Why the command failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NamesCommandError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// A name is not valid.
    #[error("{0} cannot be a name")]
    Name(String, #[source] NameError),
    /// The change is not possible.
    #[error(transparent)]
    Change(NameChangeError),
    /// There is no terminal.
    #[error("nothing was changed: confirmation needs a terminal; add --yes or --dry-run")]
    NoTerminal,
    /// The answer was not yes.
    #[error("nothing was changed")]
    Declined,
    /// The input or the output was closed.
    #[error("cannot print")]
    Output(#[from] io::Error),
}

impl From<NameChangeError> for NamesCommandError {
    fn from(error: NameChangeError) -> Self {
        match error {
            NameChangeError::Store(error) => Self::Store(error),
            error => Self::Change(error),
        }
    }
}

/// Runs the command. It needs confirmation: `--yes`, or on a terminal an answer from `answers`. Messages for people go to
/// `notes`. After an error, nothing has changed.
pub async fn run(
    arguments: NamesArguments,
    how: HowNamesChange,
    is_terminal: bool,
    answers: &mut impl BufRead,
    notes: &mut impl Write,
) -> Result<(), NamesCommandError> {
    let read = |text: &String| {
        Named::read(text, arguments.org)
            .map_err(|error| NamesCommandError::Name(text.clone(), error))
    };
    let change = NameChange {
        from: read(&arguments.from)?,
        to: read(&arguments.to)?,
        how,
    };
    let store = arguments.database.open(notes).await?;
    let done = if arguments.yes {
        apply(&store, &change, notes).await
    } else {
        match show(&store, &change, notes).await {
            Ok(()) if arguments.dry_run => Ok(()),
            Ok(()) => match confirm(is_terminal, answers, notes) {
                Ok(()) => apply(&store, &change, notes).await,
                declined => declined,
            },
            failed => failed,
        }
    };
    store.close().await;
    done
}

async fn show(
    store: &Store,
    change: &NameChange,
    notes: &mut impl Write,
) -> Result<(), NamesCommandError> {
    let changed = store
        .operator()
        .change_names(change, true, &Actor::command())
        .await?;
    Ok(note(&changed, true, notes)?)
}

async fn apply(
    store: &Store,
    change: &NameChange,
    notes: &mut impl Write,
) -> Result<(), NamesCommandError> {
    let changed = store
        .operator()
        .change_names(change, false, &Actor::command())
        .await?;
    Ok(note(&changed, false, notes)?)
}

fn confirm(
    is_terminal: bool,
    answers: &mut impl BufRead,
    notes: &mut impl Write,
) -> Result<(), NamesCommandError> {
    if !is_terminal {
        return Err(NamesCommandError::NoTerminal);
    }
    if confirmation::confirm("Change this?", answers, notes)? {
        Ok(())
    } else {
        Err(NamesCommandError::Declined)
    }
}

fn note(changed: &NamesChanged, is_dry: bool, notes: &mut impl Write) -> io::Result<()> {
    let would = if is_dry { "would be" } else { "is" };
    for moved in changed.repositories.iter().take(MAX_NAMED) {
        writeln!(notes, "{}", sentence(moved, would))?;
    }
    let further = changed.repositories.len().saturating_sub(MAX_NAMED);
    if further > 0 {
        writeln!(notes, "and {further} more repositories")?;
    }
    for token in &changed.tokens_moved {
        writeln!(notes, "The token {token} {would} for the new name.")?;
    }
    for token in &changed.tokens_left {
        writeln!(
            notes,
            "The token {token} is for the old name only: its uploads would create the old name again. Revoke it, or create another token."
        )?;
    }
    Ok(())
}

fn sentence(moved: &Moved, would: &str) -> String {
    let Moved { from, to, merged } = moved;
    match merged {
        None => format!("{from} {would} called {to}."),
        Some(Merged {
            records,
            replaced,
            reports,
        }) => format!(
            "{from} {would} merged into {to}: {records} records; {replaced} commits are in both, and only their last upload stays; {reports} reports of replaced uploads are removed at the next start or by `coverage-dashboard prune`."
        ),
    }
}
