//! What the command line can ask for: one file for each command.

pub mod audit;
pub mod backup;
mod confirmation;
pub(crate) mod database;
pub mod delete;
pub mod healthcheck;
pub mod history;
pub mod main_branch;
pub mod names;
pub mod output;
pub mod prune;
pub mod serve;
pub mod token;
pub mod unpin_identity;
pub mod verify;
mod welcome;

use crate::config::Serve;
use audit::AuditArguments;
use backup::BackupArguments;
use clap::{Parser, Subcommand};
use delete::DeleteArguments;
use healthcheck::HealthcheckArguments;
use history::{ExportArguments, ImportArguments};
use main_branch::MainBranchArguments;
use names::NamesArguments;
use prune::{PinArguments, PruneArguments};
use token::TokenArguments;
use unpin_identity::UnpinIdentityArguments;
use verify::VerifyArguments;

/// Self-hosted code coverage: CI jobs upload reports, people browse them.
#[derive(Debug, Parser)]
#[command(version, about)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What the binary can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the dashboard and its API.
    Serve(Box<Serve>),
    /// Make, list and revoke tokens for uploading, for reading and for administration.
    Token(TokenArguments),
    /// Show or set the main branch of a repository.
    MainBranch(MainBranchArguments),
    /// Give a repository, or all those of an organisation, another name.
    Rename(NamesArguments),
    /// Add the records of a repository to those of another one, or of all those of an organisation.
    Merge(NamesArguments),
    /// Let a repository that has moved upload with its new identity.
    UnpinIdentity(UnpinIdentityArguments),
    /// Ask a running service whether it is well.
    Healthcheck(HealthcheckArguments),
    /// Write the numbers of all records to a file.
    Export(ExportArguments),
    /// Take in records that were made elsewhere or long ago.
    Import(ImportArguments),
    /// Copy the SQLite database while the service is running.
    Backup(BackupArguments),
    /// Compare the database with the stored reports, and repair what can be.
    Verify(VerifyArguments),
    /// Remove the reports that retention says are to go.
    Prune(PruneArguments),
    /// Keep the report of a record whatever its age.
    Pin(PinArguments),
    /// Leave the report of a record to retention again.
    Unpin(PinArguments),
    /// Delete a record, a branch or a repository, or replace the name of an author.
    Delete(DeleteArguments),
    /// Print the audit log: who changed what, when, and from where.
    Audit(AuditArguments),
    /// Print the OpenAPI document of the interface.
    Openapi,
}
