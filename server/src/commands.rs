//! The commands of the command line, and what they share. The result of a command goes to `out`, messages for people to `notes`. If
//! its documentation states nothing else, nothing has changed after an error.

mod audit;
mod backup;
mod database;
pub mod delete;
mod gate;
mod groups;
mod healthcheck;
mod history;
mod main_branch;
pub mod names;
mod prune;
pub mod serve;
mod session;
pub mod settings;
mod terminal;
mod test_webhooks;
mod token;
mod unpin_identity;
mod verify;

use crate::operations::{
    process::{READY, notify, signalled, start_log},
    verify::Outcome,
};
use audit::AuditArguments;
use backup::BackupArguments;
use clap::{ArgMatches, Parser, Subcommand};
use client::{
    ClientCommand, command_line,
    exit::{ended, failed},
    output::Output,
};
use config::Serve;
use delete::DeleteArguments;
use domain::{Repository, text::chain};
use gate::GateArguments;
use healthcheck::HealthcheckArguments;
use history::{ExportArguments, ImportArguments};
use main_branch::MainBranchArguments;
use names::NamesArguments;
use prune::{PinArguments, PruneArguments};
use session::SessionArguments;
use settings::ConfigArguments;
use std::{
    error::Error,
    io::{self, IsTerminal, Write},
    net::SocketAddr,
    process::ExitCode,
};
use store::{HowNamesChange, StoreError};
use test_webhooks::TestWebhooksArguments;
use thiserror::Error;
use token::{TokenAction, TokenArguments};
use tokio::net::TcpListener;
use unpin_identity::UnpinIdentityArguments;
use verify::VerifyArguments;

/// Self-hosted code coverage: CI jobs upload coverage, people browse it.
#[derive(Debug, Parser)]
#[command(name = "coverage-dashboard", version, about, mut_subcommands = groups::arrange)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the dashboard and its API.
    Serve(Box<Serve>),
    /// The commands for jobs and laptops.
    #[command(flatten)]
    Client(ClientCommand),
    /// Create, list and revoke tokens for uploading, reading and administration.
    Token(TokenArguments),
    /// List and end the sessions of people who have logged in at an issuer.
    Session(SessionArguments),
    /// Show or set the main branch of a repository.
    MainBranch(MainBranchArguments),
    /// Set, show and remove the rules that an upload must obey to pass.
    Gate(GateArguments),
    /// Rename a repository or an org.
    Rename(NamesArguments),
    /// Merge the records of a repository or an org into another one.
    Merge(NamesArguments),
    /// Let a repository that has moved upload with its new identity.
    UnpinIdentity(UnpinIdentityArguments),
    /// Check the health of a running service.
    Healthcheck(HealthcheckArguments),
    /// Export the numbers of all records to a file.
    Export(ExportArguments),
    /// Import records from a file.
    Import(ImportArguments),
    /// Copy the SQLite database while the service runs.
    Backup(BackupArguments),
    /// Compare the database with the stored HTML reports, and repair.
    Verify(VerifyArguments),
    /// Remove the HTML reports that the retention rules do not keep.
    Prune(PruneArguments),
    /// Keep the HTML report of a record forever.
    Pin(PinArguments),
    /// Apply the retention rules to the HTML report of a record again.
    Unpin(PinArguments),
    /// Delete a record, a branch or a repository, or replace the name of an author.
    Delete(DeleteArguments),
    /// Print the audit log: who changed what, when, and from where.
    Audit(AuditArguments),
    /// Print the effective settings and where each comes from.
    Config(Box<ConfigArguments>),
    /// Send a test notification to each webhook of the settings.
    TestWebhooks(Box<TestWebhooksArguments>),
    /// Print the OpenAPI document of the interface.
    Openapi,
}

/// Why a command failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommandError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// The output was closed.
    #[error("cannot print")]
    Output(#[from] io::Error),
    /// A sentence for people.
    #[error("{0}")]
    Refused(String),
    /// A sentence for people, and the cause.
    #[error("{0}")]
    Failed(String, #[source] Box<dyn Error + Send + Sync>),
}

impl CommandError {
    /// Adds a sentence to a cause.
    fn failed<E: Into<Box<dyn Error + Send + Sync>>>(
        sentence: impl Into<String>,
    ) -> impl FnOnce(E) -> Self {
        move |cause| Self::Failed(sentence.into(), cause.into())
    }

    fn cannot_listen(addr: SocketAddr) -> impl FnOnce(io::Error) -> Self {
        Self::failed(format!("cannot listen on {addr}"))
    }

    fn no_record(id: i64) -> Self {
        Self::Refused(format!(
            "there is no record {id}; the number of a record is in the address of its page"
        ))
    }

    fn never_uploaded(repository: &Repository) -> Self {
        Self::Refused(format!(
            "nothing was ever uploaded to {repository}; write names exactly as the overview shows them"
        ))
    }
}

fn refuse<T>(sentence: impl Into<String>) -> Result<T, CommandError> {
    Err(CommandError::Refused(sentence.into()))
}

/// Runs the command of the command line.
pub async fn run() -> ExitCode {
    let (cli, matches) = match command_line::read::<Cli>(settings::without_secret) {
        Ok(read) => read,
        Err(error) => error.exit(),
    };
    let is_terminal = io::stdin().is_terminal();
    let (mut out, mut notes) = (Output::new(io::stdout()), io::stderr());
    let done = match cli.command {
        Command::Serve(config) => {
            start_log(config.log_format);
            return match serve(*config, &matches).await {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    tracing::error!("{}", chain(&error));
                    ExitCode::FAILURE
                }
            };
        }
        Command::Client(command) => return command.run().await,
        Command::Verify(arguments) => {
            let (terminal, sees_progress) =
                (is_terminal.then(|| io::stdin().lock()), notes.is_terminal());
            let outcome = Outcome::new(&mut out, &mut notes, arguments.json, sees_progress);
            return verified(verify::run(arguments, terminal, outcome).await, &out);
        }
        Command::Healthcheck(arguments) => {
            return ended(healthcheck::run(arguments, &mut out).await);
        }
        Command::Config(arguments) => {
            let printed = settings::run(&arguments, &matches, &mut out);
            return ended(out.ended(printed));
        }
        Command::Openapi => {
            let printed = crate::openapi().map_err(io::Error::other);
            let printed = printed.and_then(|text| out.write_all(text.as_bytes()));
            return ended(out.ended(printed));
        }
        Command::Token(arguments) => {
            let is_list = matches!(arguments.action, TokenAction::List { .. });
            let done = token::run(arguments, &mut out, &mut notes).await;
            if !is_list {
                // `create` fails if the output is closed: its token was never shown, and is revoked.
                return ended(done);
            }
            done
        }
        Command::Session(arguments) => session::run(arguments, &mut out, &mut notes).await,
        Command::MainBranch(arguments) => main_branch::run(arguments, &mut out, &mut notes).await,
        Command::Gate(arguments) => gate::run(arguments, &mut out, &mut notes).await,
        Command::Rename(arguments) => {
            let (how, mut answers) = (HowNamesChange::Rename, io::stdin().lock());
            names::run(arguments, how, is_terminal, &mut answers, &mut notes).await
        }
        Command::Merge(arguments) => {
            let (how, mut answers) = (HowNamesChange::Merge, io::stdin().lock());
            names::run(arguments, how, is_terminal, &mut answers, &mut notes).await
        }
        Command::UnpinIdentity(arguments) => unpin_identity::run(arguments, &mut notes).await,
        Command::Export(arguments) => history::export(arguments, &mut out, &mut notes).await,
        Command::Import(arguments) => {
            history::import(arguments, io::stdin().lock(), &mut notes).await
        }
        Command::Backup(arguments) => backup::run(arguments, &mut notes).await,
        Command::Prune(arguments) => prune::prune(arguments, &mut out, &mut notes).await,
        Command::Pin(arguments) => prune::pin(arguments, true, &mut notes).await,
        Command::Unpin(arguments) => prune::pin(arguments, false, &mut notes).await,
        Command::Delete(arguments) => {
            let mut answers = io::stdin().lock();
            delete::run(arguments, is_terminal, &mut answers, &mut notes).await
        }
        Command::Audit(arguments) => {
            let mut out = io::BufWriter::new(&mut out);
            audit::run(arguments, &mut out, &mut notes).await
        }
        Command::TestWebhooks(arguments) => test_webhooks::run(*arguments, &mut out).await,
    };
    ended(out.ended(done))
}

async fn serve(mut config: Serve, matches: &ArgMatches) -> Result<(), CommandError> {
    let addr = config.addr;
    let listener = TcpListener::bind(addr).await;
    let listener = listener.map_err(CommandError::cannot_listen(addr))?;
    let listening = listener.local_addr().unwrap_or(addr);
    config.shown = settings::settings(matches, &config, listening);
    let announce = |text: &str| {
        // A closed terminal does not stop the service.
        drop(io::stdout().write_all(text.as_bytes()));
        notify(READY);
    };
    serve::run(config, listener, announce, signalled()).await
}

/// The exit code of `verify`: 0 if nothing was found, 1 if something was found, 2 if something could not be checked.
fn verified<W>(done: Result<bool, CommandError>, out: &Output<W>) -> ExitCode {
    let is_well = matches!(done, Ok(true));
    match out.ended(done.map(drop)) {
        Ok(()) if is_well => ExitCode::SUCCESS,
        // Also if the reader closed the output early.
        Ok(()) => ExitCode::from(1),
        Err(error) => {
            failed(&error);
            ExitCode::from(2)
        }
    }
}
