//! `coverage-dashboard diff`: the known coverage of changed files before the tests run again.

mod lines;
mod output;

use crate::{arguments::ClientArguments, error::ClientError, git::Git};
use clap::Args;
use std::io::Write;

/// Show the coverage of the files that the working tree changes since the newest record of an ancestor: lines that were
/// covered or missed, with their present numbers, and lines that are not measured yet.
#[derive(Clone, Debug, Args)]
pub struct DiffArguments {
    /// The service and the repository.
    #[command(flatten)]
    pub client: ClientArguments,

    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// Prints the states of the lines of all changed files.
pub(crate) async fn run(arguments: DiffArguments, out: &mut impl Write) -> Result<(), ClientError> {
    let client = &arguments.client;
    let git = Git::here()?;
    let service = client.service()?;
    let repository = client.repository(&git)?;
    let records = client.of_ancestor(&git, &service, &repository).await?;
    let mut known = ::lines::Lines::default();
    for record in &records {
        for (path, states) in service.lines(record).await?.into_files() {
            known.add(path, states);
        }
    }
    // All records are of one commit.
    let newest = records
        .into_iter()
        .max_by(|one, other| one.updated_at.cmp(&other.updated_at));
    let Some(record) = newest else {
        return Ok(());
    };
    let changes = git.changes_since(&record.commit_hash)?;
    let files = lines::changed_files(known, &changes, &git.new_files()?);
    match arguments.json {
        true => output::json(out, &record, &files),
        false => output::text(out, &record, &files),
    }?;
    Ok(())
}
