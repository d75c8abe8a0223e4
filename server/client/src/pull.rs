//! `coverage-dashboard pull`: the lines of a record, for editors.

use crate::{
    arguments::{ClientArguments, no_record},
    error::ClientError,
    git::Git,
    service::{Found, Service},
};
use clap::{Args, ValueEnum};
use domain::{BranchName, CommitHash, Repository};
use std::io::Write;

/// Print the lines of a record for editors. By default it is the newest record of the commits of HEAD.
#[derive(Clone, Debug, Args)]
pub struct PullArguments {
    /// The service and the repository.
    #[command(flatten)]
    pub client: ClientArguments,

    /// The format.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,

    /// A commit with a record.
    #[arg(long, conflicts_with = "branch")]
    pub commit: Option<CommitHash>,

    /// The branch; its current records are printed.
    #[arg(long)]
    pub branch: Option<BranchName>,
}

/// A format that editors read.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum Format {
    /// LCOV's tracefile, with paths from the top of the repository.
    #[default]
    Lcov,
}

/// Prints the lines of the selected records, one for each language.
pub(crate) async fn run(
    arguments: PullArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), ClientError> {
    let git = Git::here()?;
    let service = arguments.client.service()?;
    let repository = arguments.client.repository(&git)?;
    let records = records(&arguments, &git, &service, &repository).await?;
    let Format::Lcov = arguments.format;
    for record in &records {
        out.write_all(&service.lcov(record).await?)?;
        writeln!(notes, "{}", record.about())?;
    }
    Ok(())
}

async fn records(
    arguments: &PullArguments,
    git: &Git,
    service: &Service,
    repository: &Repository,
) -> Result<Vec<Found>, ClientError> {
    let (client, language) = (&arguments.client, arguments.client.language.as_ref());
    let (mut records, what) = match (&arguments.commit, &arguments.branch) {
        (Some(commit), _) => {
            let found = service.of_commit(repository, commit).await?;
            (found, format!("commit {commit}"))
        }
        (None, Some(branch)) => {
            let found = service.of_branch(repository, branch).await?;
            (found, format!("the branch {branch}"))
        }
        (None, None) => return client.of_ancestor(git, service, repository).await,
    };
    records.retain(|found| found.is_in(language));
    records.sort_by(|one, other| one.language.cmp(&other.language));
    match records.is_empty() {
        true => Err(no_record(repository, what, language)),
        false => Ok(records),
    }
}
