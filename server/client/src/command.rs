//! The commands for jobs and laptops, which need no database. A small program has only these.

use crate::{
    check::{self, CheckArguments},
    diff::{self, DiffArguments},
    exit::{ended, failed},
    output::Output,
    pull::{self, PullArguments},
    translate::{self, TranslateArguments},
    upload::{self, UploadArguments},
};
use clap::Subcommand;
use domain::Verdict;
use std::{io, process::ExitCode};

/// The exit code of `check` if the result is unknown.
const CANNOT_TELL: u8 = 2;

/// The commands for jobs and laptops.
#[derive(Debug, Subcommand)]
pub enum ClientCommand {
    /// Upload the coverage of a CI job; needs sh, curl and tar.
    Upload(UploadArguments),
    /// Judge coverage files by the gate of this repository, without an upload.
    Check(CheckArguments),
    /// Show the coverage of changed files before the tests run again; runs in a git working tree.
    Diff(DiffArguments),
    /// Print the lines of a record for editors; runs in a git working tree.
    Pull(PullArguments),
    /// Write coverage-dashboard.toml from a codecov.yml, and name the keys that have no equal.
    Translate(TranslateArguments),
}

impl ClientCommand {
    /// Runs the command, and returns how the process ends.
    pub async fn run(self) -> ExitCode {
        let mut out = Output::new(io::BufWriter::new(io::stdout()));
        match self {
            Self::Upload(arguments) => match upload::run(&arguments) {
                Ok(status) => {
                    let code = status.code().and_then(|code| u8::try_from(code).ok());
                    code.map_or(ExitCode::FAILURE, ExitCode::from)
                }
                Err(error) => failed(&error),
            },
            Self::Check(arguments) => match check::run(arguments, &mut io::stdout()).await {
                Ok(Verdict::Passed) => ExitCode::SUCCESS,
                Ok(Verdict::Failed) => ExitCode::FAILURE,
                Ok(Verdict::Incomplete | Verdict::Unknown) => ExitCode::from(CANNOT_TELL),
                Err(error) => {
                    failed(&error);
                    ExitCode::from(CANNOT_TELL)
                }
            },
            Self::Diff(arguments) => {
                let done = diff::run(arguments, &mut out).await;
                ended(out.ended(done))
            }
            Self::Pull(arguments) => {
                let done = pull::run(arguments, &mut out, &mut io::stderr()).await;
                ended(out.ended(done))
            }
            Self::Translate(arguments) => {
                let done = translate::run(&arguments, &mut out, io::stderr());
                ended(out.ended(done))
            }
        }
    }
}
