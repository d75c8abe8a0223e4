//! `coverage-dashboard rename` and `merge`: changes names in a database whose service may be running.

use crate::{
    config::NamesArguments,
    store::{
        HowNamesChange, Merged, Moved, NameChange, NameChangeError, Named, NamesChanged, Store,
        StoreError,
    },
};
use app::domain::NameError;
use std::io::{self, BufRead, IsTerminal, Write};
use thiserror::Error;

/// Repositories that are named in what is printed.
const NAMED: usize = 20;

/// Why the command did not do what it was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NamesCommandError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// A name cannot be one.
    #[error("{0} cannot be a name")]
    Name(String, #[source] NameError),
    /// It cannot be done.
    #[error(transparent)]
    Change(NameChangeError),
    /// Nobody can be asked.
    #[error("nothing was changed: say --yes where nobody can be asked, or --dry-run")]
    NotAsked,
    /// Whoever was asked did not agree.
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

/// Gives repositories another name. What is for people goes to `notes`.
///
/// # Errors
///
/// When it cannot be done; nothing has changed then.
pub async fn rename(
    arguments: NamesArguments,
    notes: &mut impl Write,
) -> Result<(), NamesCommandError> {
    run(arguments, HowNamesChange::Rename, notes).await
}

/// Adds the records of repositories to those of others. What is for people goes to `notes`.
///
/// # Errors
///
/// When it cannot be done; nothing has changed then.
pub async fn merge(
    arguments: NamesArguments,
    notes: &mut impl Write,
) -> Result<(), NamesCommandError> {
    run(arguments, HowNamesChange::Merge, notes).await
}

async fn run(
    arguments: NamesArguments,
    how: HowNamesChange,
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
    let store = Store::open_existing(&arguments.database_url).await?;
    let done = ask_and_change(&store, &arguments, &change, notes).await;
    store.close().await;
    done
}

async fn ask_and_change(
    store: &Store,
    arguments: &NamesArguments,
    change: &NameChange,
    notes: &mut impl Write,
) -> Result<(), NamesCommandError> {
    if !arguments.yes {
        tell(&store.change_names(change, true).await?, true, notes)?;
        if arguments.dry_run {
            return Ok(());
        }
        if !io::stdin().is_terminal() {
            return Err(NamesCommandError::NotAsked);
        }
        write!(notes, "Do it? [y/N] ")?;
        notes.flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            return Err(NamesCommandError::Declined);
        }
    }
    let changed = store.change_names(change, false).await?;
    Ok(tell(&changed, false, notes)?)
}

fn tell(changed: &NamesChanged, is_dry: bool, notes: &mut impl Write) -> io::Result<()> {
    let would = if is_dry { "would be" } else { "is" };
    for moved in changed.repositories.iter().take(NAMED) {
        writeln!(notes, "{}", sentence(moved, would))?;
    }
    let further = changed.repositories.len().saturating_sub(NAMED);
    if further > 0 {
        writeln!(notes, "and {further} more repositories")?;
    }
    for token in &changed.tokens_moved {
        writeln!(notes, "The token {token} {would} for the new name.")?;
    }
    for token in &changed.tokens_left {
        writeln!(
            notes,
            "The token {token} is for the old name only: its uploads would make that anew. Revoke it, or make another one."
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
            "{from} {would} merged into {to}: {records} records; {replaced} commits are in both, and their last upload stays; {reports} reports of the others go with the next start or `coverage-dashboard prune`."
        ),
    }
}
