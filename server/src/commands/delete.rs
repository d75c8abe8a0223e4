//! `coverage-dashboard delete`: deletes uploads from a database whose service may be running.

use crate::commands::{confirmation, database::DatabaseArguments};
use clap::{Args, Subcommand};
use domain::{BranchName, CommitAuthor, Repository, text::printed};
use jobs::deletion;
use objects::{AwsVariables, Reports, ReportsUrl};
use std::{
    error::Error,
    io::{self, BufRead, Write},
};
use store::{Deletable, Deleted, Deletion, Scope, Store, StoreError, actor::Actor};
use thiserror::Error;

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
    #[arg(
        long,
        env = "REPORTS_URL",
        default_value = "public/reports",
        global = true
    )]
    pub reports_url: ReportsUrl,

    /// How to connect to a bucket.
    #[arg(skip = AwsVariables::of_process())]
    pub aws: AwsVariables,

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

/// Why the command failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DeleteCommandError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// Reports cannot be reached.
    #[error("nothing was deleted: cannot use the reports in {url}")]
    Reports {
        /// Where they should be.
        url: ReportsUrl,
        /// What went wrong.
        #[source]
        source: Box<dyn Error + Send + Sync>,
    },
    /// There is no such record.
    #[error("there is no record {0}; the number of a record is in the address of its page")]
    NoRecord(i64),
    /// There is no such branch.
    #[error("{0} has no branch {1}; write names exactly as pages show them")]
    NoBranch(Repository, BranchName),
    /// There is no such repository.
    #[error("nothing was ever uploaded to {0}; write names exactly as the overview shows them")]
    NoRepository(Repository),
    /// There is no such author.
    #[error("no record has the author {0}; write names exactly as pages show them")]
    NoAuthor(CommitAuthor),
    /// The answer was not yes.
    #[error("nothing was deleted")]
    Declined,
    /// There is no terminal.
    #[error("nothing was deleted: confirmation needs a terminal; add --yes")]
    NoTerminal,
    /// Input or output failed.
    #[error("cannot read or write the terminal")]
    Terminal(#[from] io::Error),
}

/// Runs the command. It needs confirmation: `--yes`, or on a terminal an answer from `answers`. After an error, nothing has
/// changed.
pub async fn run(
    arguments: DeleteArguments,
    is_terminal: bool,
    answers: &mut impl BufRead,
    notes: &mut impl Write,
) -> Result<(), DeleteCommandError> {
    let store = arguments.database.open(notes).await?;
    let mut confirmation = Confirmation {
        is_confirmed: arguments.yes,
        is_terminal,
        answers,
        notes,
    };
    let done = match &arguments.what {
        DeleteWhat::Author { name, replace_with } => {
            replace_author(&store, name, replace_with, &mut confirmation).await
        }
        DeleteWhat::Record { record } => {
            delete(
                &store,
                &arguments,
                Deletion::Record(*record),
                &mut confirmation,
            )
            .await
        }
        DeleteWhat::Branch { repository, branch } => {
            let what = Deletion::Branch(repository.clone(), branch.clone());
            delete(&store, &arguments, what, &mut confirmation).await
        }
        DeleteWhat::Repository { repository } => {
            let what = Deletion::Repository(repository.clone());
            delete(&store, &arguments, what, &mut confirmation).await
        }
    };
    store.close().await;
    done
}

/// How the command asks for confirmation.
struct Confirmation<'a, Answers, Notes> {
    is_confirmed: bool,
    is_terminal: bool,
    answers: &'a mut Answers,
    notes: &'a mut Notes,
}

impl<Answers: BufRead, Notes: Write> Confirmation<'_, Answers, Notes> {
    fn confirm(&mut self, what: &str) -> Result<(), DeleteCommandError> {
        writeln!(self.notes, "{what} This cannot be undone.")?;
        match (self.is_confirmed, self.is_terminal) {
            (true, _) => return Ok(()),
            (false, false) => return Err(DeleteCommandError::NoTerminal),
            (false, true) => {}
        }
        if confirmation::confirm_in_full(self.answers, self.notes)? {
            Ok(())
        } else {
            Err(DeleteCommandError::Declined)
        }
    }
}

async fn delete(
    store: &Store,
    arguments: &DeleteArguments,
    what: Deletion,
    confirmation: &mut Confirmation<'_, impl BufRead, impl Write>,
) -> Result<(), DeleteCommandError> {
    let found = store.operator().deletable(&what).await?;
    let found = found.ok_or_else(|| missing(&what))?;
    let Deletable {
        repository,
        subject,
        records,
        reports,
    } = &found;
    confirmation.confirm(&format!(
        "{repository}, {}: {} and {} will be deleted.",
        printed(subject),
        number(*records, "record"),
        number(*reports, "report")
    ))?;
    let stored = match reports {
        0 => None,
        _ => Some(open(arguments).await?),
    };
    if *records >= MANY {
        writeln!(
            confirmation.notes,
            "This takes a while. Uploads wait until it is finished."
        )?;
    }
    let deleted = store
        .operator()
        .delete(&what, &Scope::All, &Actor::command())
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

fn missing(what: &Deletion) -> DeleteCommandError {
    match what.clone() {
        Deletion::Record(id) => DeleteCommandError::NoRecord(id),
        Deletion::Branch(repository, branch) => DeleteCommandError::NoBranch(repository, branch),
        Deletion::Repository(repository) => DeleteCommandError::NoRepository(repository),
    }
}

/// Opens the stored reports. Fails if their folder does not exist: this command must not create it.
async fn open(arguments: &DeleteArguments) -> Result<Reports, DeleteCommandError> {
    let url = &arguments.reports_url;
    let failed = |source| DeleteCommandError::Reports {
        url: url.clone(),
        source,
    };
    if let ReportsUrl::Folder(folder) = url
        && !folder.is_dir()
    {
        return Err(failed(
            "the folder does not exist; check REPORTS_URL".into(),
        ));
    }
    Reports::open(url, &arguments.aws, None)
        .await
        .map_err(failed)
}

async fn note(
    store: &Store,
    deleted: &Deleted,
    notes: &mut impl Write,
) -> Result<(), DeleteCommandError> {
    let repository = &deleted.what.repository;
    writeln!(
        notes,
        "{} and {} are deleted.",
        number(deleted.what.records, "record"),
        number(deleted.what.reports, "report")
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
) -> Result<(), DeleteCommandError> {
    let records = store.operator().records_by(author).await?;
    if records == 0 {
        return Err(DeleteCommandError::NoAuthor(author.clone()));
    }
    confirmation.confirm(&format!(
        "The author {} will be renamed to {} in {}.",
        printed(author),
        printed(name),
        number(records, "record")
    ))?;
    let replaced = store
        .operator()
        .replace_author(author, name, &Actor::command())
        .await?;
    writeln!(
        confirmation.notes,
        "The name was replaced in {}. HTML reports and copies of the database did not change.",
        number(replaced, "record")
    )?;
    Ok(())
}

fn number(count: u64, of: &str) -> String {
    match count {
        1 => format!("1 {of}"),
        _ => format!("{count} {of}s"),
    }
}
