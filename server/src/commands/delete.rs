//! `coverage-dashboard delete`: deletes uploads from a database whose service may be running.

use crate::commands::{
    CommandError,
    database::{DatabaseArguments, StorageArguments},
    refuse, terminal,
};
use clap::{Args, Subcommand};
use domain::{
    BranchName, CommitAuthor, Repository,
    text::{counted, printed},
};
use jobs::deletion;
use std::io::{BufRead, Write};
use store::{Deleted, Deletion, Scope, Store, actor::Actor};

/// Deletes the numbers and HTML reports of uploads. This cannot be undone. Copies of the database and of the reports do not
/// change.
#[derive(Clone, Debug, Args)]
pub struct DeleteArguments {
    /// What to delete.
    #[command(subcommand)]
    pub what: DeleteWhat,

    /// Do not ask for confirmation. Needed without a terminal.
    #[arg(long, global = true)]
    pub yes: bool,

    /// Where the service stores HTML reports.
    #[command(flatten)]
    pub storage: StorageArguments,

    /// The database of the service.
    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// What can be deleted. The service shows the change on the next request.
#[derive(Clone, Debug, Subcommand)]
pub enum DeleteWhat {
    /// Delete one record. If it is current, the newest remaining record of its branch and language becomes current.
    Record {
        /// The number of the record, as in the address of its page.
        record: i64,
    },
    /// Delete a branch with all its records.
    Branch {
        /// The repository, such as acme/payments.
        #[arg(value_name = "ORG/REPO")]
        repository: Repository,
        /// The branch.
        branch: BranchName,
    },
    /// Delete a repository with its records, its branches and its rows in the ledger of uploads.
    Repository {
        /// The repository, such as acme/payments.
        #[arg(value_name = "ORG/REPO")]
        repository: Repository,
    },
    /// Replace the name of an author in all records. Names inside HTML reports stay.
    Author {
        /// The name, exactly as pages show it.
        name: CommitAuthor,
        /// The new name.
        #[arg(long, value_name = "NAME")]
        replace_with: CommitAuthor,
    },
}

/// From this number of records on, the command warns that it takes a while.
const MANY: u64 = 10_000;

/// Runs the command. It needs confirmation: `--yes`, or on a terminal an answer from `answers`. After an error in the deletion,
/// nothing has changed. After a later error, the records are deleted, and a sweep removes the remaining reports.
pub async fn run(
    arguments: DeleteArguments,
    is_terminal: bool,
    answers: &mut impl BufRead,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let act = async |store: &Store, notes: &mut _| {
        let mut confirmation = Confirmation {
            is_confirmed: arguments.yes,
            is_terminal,
            answers,
            notes,
        };
        let what = match &arguments.what {
            DeleteWhat::Author { name, replace_with } => {
                return replace_author(store, name, replace_with, &mut confirmation).await;
            }
            DeleteWhat::Record { record } => Deletion::Record(*record),
            DeleteWhat::Branch { repository, branch } => {
                Deletion::Branch(repository.clone(), branch.clone())
            }
            DeleteWhat::Repository { repository } => Deletion::Repository(repository.clone()),
        };
        delete(store, &arguments.storage, what, &mut confirmation).await
    };
    let done = arguments.database.with(notes, act).await;
    done.map_err(|error| match error {
        CommandError::Output(source) => {
            CommandError::failed("cannot read or write the terminal")(source)
        }
        error => error,
    })
}

/// How the command asks for confirmation.
struct Confirmation<'a, Answers, Notes> {
    is_confirmed: bool,
    is_terminal: bool,
    answers: &'a mut Answers,
    notes: &'a mut Notes,
}

impl<Answers: BufRead, Notes: Write> Confirmation<'_, Answers, Notes> {
    fn confirm(&mut self, what: &str) -> Result<(), CommandError> {
        writeln!(self.notes, "{what} This cannot be undone.")?;
        match (self.is_confirmed, self.is_terminal) {
            (true, _) => Ok(()),
            (false, false) => {
                refuse("nothing was deleted: confirmation needs a terminal; add --yes")
            }
            (false, true) if terminal::confirm_in_full(self.answers, self.notes)? => Ok(()),
            (false, true) => refuse("nothing was deleted"),
        }
    }
}

async fn delete(
    store: &Store,
    storage: &StorageArguments,
    what: Deletion,
    confirmation: &mut Confirmation<'_, impl BufRead, impl Write>,
) -> Result<(), CommandError> {
    let found = store.operator().deletable(&what).await?;
    let found = found.ok_or_else(|| missing(&what))?;
    confirmation.confirm(&format!(
        "{}, {}: {} and {} will be deleted.",
        found.repository,
        printed(&found.subject),
        counted(found.records, "record"),
        counted(found.reports, "report")
    ))?;
    let stored = match found.reports {
        0 => None,
        _ => Some(
            storage
                .open("nothing was deleted: cannot use the reports")
                .await?,
        ),
    };
    if found.records >= MANY {
        writeln!(
            confirmation.notes,
            "This takes a while. Uploads wait until it is finished."
        )?;
    }
    let deleted = store
        .operator()
        .delete(&what, &[Scope::All], &Actor::command())
        .await?;
    let deleted = deleted.ok_or_else(|| missing(&what))?;
    if let Some(stored) = stored {
        writeln!(
            confirmation.notes,
            "The numbers are deleted. Deleting the reports."
        )?;
        deletion::remove_reports(store, &stored, deleted.at).await?;
        stored.settle().await;
    }
    note(store, &deleted, confirmation.notes).await
}

fn missing(what: &Deletion) -> CommandError {
    CommandError::Refused(match what {
        Deletion::Record(id) => return CommandError::no_record(*id),
        Deletion::Branch(repository, branch) => {
            format!("{repository} has no branch {branch}; write names exactly as pages show them")
        }
        Deletion::Repository(repository) => return CommandError::never_uploaded(repository),
    })
}

async fn note(
    store: &Store,
    deleted: &Deleted,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let repository = &deleted.what.repository;
    writeln!(
        notes,
        "{} and {} are deleted.",
        counted(deleted.what.records, "record"),
        counted(deleted.what.reports, "report")
    )?;
    if let Some(id) = deleted.now_current {
        writeln!(notes, "Record {id} is now current.")?;
    }
    if deleted.left > 0 {
        return Ok(());
    }
    writeln!(notes, "{repository} has no records left and was removed.")?;
    let is_for_it =
        |scope: &Scope| matches!(scope, Scope::Repository(own) if own.has_name_of(repository));
    let tokens = store.operator().tokens().await?;
    let of_it = tokens
        .iter()
        .filter(|token| token.revoked_at.is_none() && is_for_it(&token.scope));
    for token in of_it {
        writeln!(
            notes,
            "The token {} is for {repository} only and stays valid: an upload with it creates the repository again. To revoke it: coverage-dashboard token revoke {}",
            token.name, token.id
        )?;
    }
    Ok(())
}

async fn replace_author(
    store: &Store,
    author: &CommitAuthor,
    name: &CommitAuthor,
    confirmation: &mut Confirmation<'_, impl BufRead, impl Write>,
) -> Result<(), CommandError> {
    let records = store.operator().records_by(author).await?;
    if records == 0 {
        return refuse(format!(
            "no record has the author {author}; write names exactly as pages show them"
        ));
    }
    confirmation.confirm(&format!(
        "The author {} will be renamed to {} in {}.",
        printed(author),
        printed(name),
        counted(records, "record")
    ))?;
    let replaced = store
        .operator()
        .replace_author(author, name, &Actor::command())
        .await?;
    writeln!(
        confirmation.notes,
        "The name was replaced in {}. HTML reports and copies of the database did not change.",
        counted(replaced, "record")
    )?;
    Ok(())
}
