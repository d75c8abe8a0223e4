//! `coverage-dashboard unpin-identity`: lets a repository that has moved upload with its new identity.

use crate::commands::{CommandError, database::DatabaseArguments};
use clap::Args;
use domain::Repository;
use std::io::Write;
use store::{Store, actor::Actor};

/// Removes the pinned identity of a repository, after a real move to another owner or forge. The next identity that uploads is
/// pinned instead. Takes effect on the next request.
#[derive(Clone, Debug, Args)]
pub struct UnpinIdentityArguments {
    /// The repository, such as acme/payments.
    #[arg(value_name = "ORG/REPO")]
    pub repository: Repository,

    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// Unpins the identity of a repository, and writes the old identity to `notes`. After an error, nothing has changed.
pub(crate) async fn run(
    arguments: UnpinIdentityArguments,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let repository = &arguments.repository;
    let unpin = async |store: &Store, _: &mut _| {
        let (operator, by) = (store.operator(), Actor::command());
        Ok(operator.unpin_identity(repository, &by).await?)
    };
    match arguments.database.with(notes, unpin).await? {
        None => Err(CommandError::never_uploaded(repository)),
        Some(None) => Ok(writeln!(notes, "{repository} had no pinned identity.")?),
        Some(Some(ids)) => Ok(writeln!(
            notes,
            "{repository} was pinned to repository {} of owner {}; the next identity that uploads is pinned instead.",
            ids.repository, ids.owner
        )?),
    }
}
