//! The commands of the command line, and what they share.

pub mod audit;
pub mod backup;
mod confirmation;
pub(crate) mod database;
pub mod delete;
pub mod gate;
pub mod groups;
pub mod healthcheck;
pub mod history;
pub mod main_branch;
pub mod names;
pub mod prune;
pub mod serve;
pub mod session;
pub mod settings;
mod table;
pub mod test_webhooks;
pub mod token;
pub mod unpin_identity;
pub mod verify;
mod welcome;

use audit::AuditArguments;
use backup::BackupArguments;
use clap::{Parser, Subcommand};
use client::ClientCommand;
use config::Serve;
use delete::DeleteArguments;
use gate::GateArguments;
use healthcheck::HealthcheckArguments;
use history::{ExportArguments, ImportArguments};
use main_branch::MainBranchArguments;
use names::NamesArguments;
use prune::{PinArguments, PruneArguments};
use session::SessionArguments;
use settings::ConfigArguments;
use test_webhooks::TestWebhooksArguments;
use token::TokenArguments;
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
