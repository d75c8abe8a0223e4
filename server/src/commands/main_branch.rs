//! `coverage-dashboard main-branch`: shows and sets a repository's main branch in a database whose service may be running.

use crate::commands::{CommandError, database::DatabaseArguments};
use clap::Args;
use domain::{BranchName, Repository, text::printed};
use std::io::Write;
use store::{MainBranch, actor::Actor};

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

    #[command(flatten)]
    pub database: DatabaseArguments,
}

pub(crate) async fn run(
    arguments: MainBranchArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let (repository, branch) = (&arguments.repository, arguments.branch.as_ref());
    let unknown = || CommandError::never_uploaded(repository);
    arguments
        .database
        .with(notes, async |store, notes| {
            let repository = store.everything().stored_repository(repository).await?;
            let repository = &repository.ok_or_else(unknown)?;
            if arguments.guess || branch.is_some() {
                let (operator, by) = (store.operator(), Actor::command());
                let set = operator.configure_main_branch(repository, branch, &by);
                if !set.await? {
                    return Err(unknown());
                }
            }
            let main = store.everything().main_branch(repository).await?;
            let main = main.ok_or_else(unknown)?;
            writeln!(notes, "{}", explained(repository, &main))?;
            if let Some(branch) = &main.branch {
                writeln!(out, "{branch}")?;
                out.flush()?;
            }
            Ok(())
        })
        .await
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
