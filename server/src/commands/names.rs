//! `coverage-dashboard rename` and `merge`: changes names in a database whose service may be running.

use crate::commands::{CommandError, database::DatabaseArguments, refuse, terminal};
use clap::Args;
use domain::text::chain;
use std::io::{self, BufRead, Write};
use store::{
    HowNamesChange, Merged, Moved, NameChange, NameChangeError, Named, NamesChanged, Store,
    actor::Actor,
};

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

/// Runs the command. It needs confirmation: `--yes`, or on a terminal an answer from `answers`. Messages for people go to
/// `notes`. After an error, nothing has changed.
pub async fn run(
    arguments: NamesArguments,
    how: HowNamesChange,
    is_terminal: bool,
    answers: &mut impl BufRead,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let read = |text: &String| {
        let name = Named::read(text, arguments.org);
        name.map_err(CommandError::failed(format!("{text} cannot be a name")))
    };
    let change = NameChange {
        from: read(&arguments.from)?,
        to: read(&arguments.to)?,
        how,
    };
    let act = async |store: &Store, notes: &mut _| {
        if !arguments.yes {
            apply(store, &change, true, notes).await?;
            if arguments.dry_run {
                return Ok(());
            }
            if !is_terminal {
                return refuse(
                    "nothing was changed: confirmation needs a terminal; add --yes or --dry-run",
                );
            }
            if !terminal::confirm("Change this?", answers, notes)? {
                return refuse("nothing was changed");
            }
        }
        apply(store, &change, false, notes).await
    };
    arguments.database.with(notes, act).await
}

/// Changes the names, or prints what would change.
async fn apply(
    store: &Store,
    change: &NameChange,
    is_dry: bool,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let (operator, by) = (store.operator(), Actor::command());
    let changed = operator.change_names(change, is_dry, &by).await;
    let changed = changed.map_err(|error| match error {
        NameChangeError::Store(error) => error.into(),
        error => CommandError::Refused(chain(&error)),
    })?;
    Ok(note(&changed, is_dry, notes)?)
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
