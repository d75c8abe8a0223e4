//! `coverage-dashboard main-branch`: shows and sets a repository's main branch in a database whose service may be running.

use crate::commands::database::DatabaseArguments;
use clap::Args;
use domain::{BranchName, Repository, text::printed};
use std::io::{self, Write};
use store::{MainBranch, Store, StoreError, actor::Actor};
use thiserror::Error;

/// Shows or sets the main branch of a repository. The change takes effect on the next request.
#[derive(Clone, Debug, Args)]
pub struct MainBranchArguments {
    /// The repository, such as acme/payments.
    #[arg(value_name = "ORG/REPO")]
    pub repository: Repository,

    /// The new main branch; without it, the command prints the main branch.
    pub branch: Option<BranchName>,

    /// Guess again: main, master, develop or trunk, else the branch with the most records.
    #[arg(long, conflicts_with = "branch")]
    pub guess: bool,

    /// The database of the service.
    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// Why the command failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MainBranchCommandError {
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

/// Runs the command. The main branch goes to `out`, messages for people go to `notes`. After an error, nothing has changed.
pub async fn run(
    arguments: MainBranchArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), MainBranchCommandError> {
    let store = arguments.database.open(notes).await?;
    let done = show_or_set(&store, &arguments, out, notes).await;
    store.close().await;
    done
}

async fn show_or_set(
    store: &Store,
    arguments: &MainBranchArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), MainBranchCommandError> {
    let unknown = || MainBranchCommandError::Unknown(arguments.repository.clone());
    let repository = store
        .everything()
        .stored_repository(&arguments.repository)
        .await?;
    let repository = &repository.ok_or_else(unknown)?;
    let is_set = arguments.guess || arguments.branch.is_some();
    if is_set
        && !store
            .operator()
            .configure_main_branch(repository, arguments.branch.as_ref(), &Actor::command())
            .await?
    {
        return Err(unknown());
    }
    let main = store
        .everything()
        .main_branch(repository)
        .await?
        .ok_or_else(unknown)?;
    writeln!(notes, "{}", explained(repository, &main))?;
    if let Some(branch) = &main.branch {
        writeln!(out, "{branch}")?;
        out.flush()?;
    }
    Ok(())
}

fn explained(repository: &Repository, main: &MainBranch) -> String {
    let MainBranch { configured, branch } = main;
    match (configured, branch) {
        (Some(configured), Some(branch)) if configured == branch => {
            format!("The main branch of {repository} is configured:")
        }
        (Some(configured), Some(_)) => format!(
            "The main branch of {repository} is configured to be {}, which has no current record. Until it has one, the main branch is:",
            printed(configured)
        ),
        (Some(configured), None) => format!(
            "The main branch of {repository} is configured to be {}. No branch has a current record.",
            printed(configured)
        ),
        (None, Some(_)) => format!("The main branch of {repository} is guessed:"),
        (None, None) => format!("No branch of {repository} has a current record to guess from."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configured_and_guessed_main_branches_are_distinguished() {
        let repository = "acme/payments".parse().expect("a repository");
        let explain = |configured: &str, branch: &str| {
            let main = MainBranch {
                configured: configured.parse().ok(),
                branch: branch.parse().ok(),
            };
            explained(&repository, &main)
        };
        assert!(explain("next", "next").ends_with("is configured:"));
        assert!(explain("next", "main").contains("next, which has no current record"));
        assert!(explain("next", "").contains("No branch has a current record"));
        assert!(explain("", "main").ends_with("is guessed:"));
        assert!(explain("", "").starts_with("No branch of acme/payments"));
    }
}
