//! `coverage-dashboard unpin-identity`: lets a repository that has moved upload with its new identity.

use crate::commands::database::DatabaseArguments;
use clap::Args;
use domain::Repository;
use std::io::{self, Write};
use store::{StoreError, actor::Actor};
use thiserror::Error;

/// Removes the pinned identity of a repository, after a real move to another owner or forge. The next identity that uploads is
/// pinned instead. Takes effect on the next request.
#[derive(Clone, Debug, Args)]
pub struct UnpinIdentityArguments {
    /// The repository, such as acme/payments.
    #[arg(value_name = "ORG/REPO")]
    pub repository: Repository,

    /// The database of the service.
    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// Why the command failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum UnpinIdentityCommandError {
    /// The database failed.
    #[error("cannot use the database")]
    Store(#[from] StoreError),
    /// The repository has no uploads.
    #[error("nothing was ever uploaded to {0}; write names exactly as the overview shows them")]
    Unknown(Repository),
    /// The output was closed.
    #[error("cannot print")]
    Output(#[from] io::Error),
}

/// Unpins the identity of a repository, and writes the old identity to `notes`. After an error, nothing has changed.
pub async fn run(
    arguments: UnpinIdentityArguments,
    notes: &mut impl Write,
) -> Result<(), UnpinIdentityCommandError> {
    let store = arguments.database.open(notes).await?;
    let unpinned = store
        .operator()
        .unpin_identity(&arguments.repository, &Actor::command())
        .await;
    store.close().await;
    let repository = arguments.repository;
    match unpinned? {
        None => Err(UnpinIdentityCommandError::Unknown(repository)),
        Some(None) => Ok(writeln!(notes, "{repository} had no pinned identity.")?),
        Some(Some(ids)) => Ok(writeln!(
            notes,
            "{repository} was pinned to repository {} of owner {}; the next identity that uploads is pinned instead.",
            ids.repository, ids.owner
        )?),
    }
}
