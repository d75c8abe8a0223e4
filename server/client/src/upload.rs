//! `coverage-dashboard upload`: runs the script that the service serves as `/upload.sh`.

use crate::{error::ClientError, script::script};
use clap::Args;
use std::{
    io::Write,
    process::{Command, ExitStatus, Stdio},
};

/// Uploads the coverage of a CI job. `upload --help` shows the options.
#[derive(Clone, Debug, Args)]
#[command(disable_help_flag = true)]
pub struct UploadArguments {
    /// The options and files of the script.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<String>,
}

/// Runs the script, and returns how it ended.
///
/// # Errors
///
/// When there is no `sh`.
pub(crate) fn run(arguments: &UploadArguments) -> Result<ExitStatus, ClientError> {
    let mut shell = Command::new("sh")
        .args(["-s", "--"])
        .args(&arguments.arguments)
        .stdin(Stdio::piped())
        .spawn()
        .map_err(ClientError::Shell)?;
    if let Some(mut input) = shell.stdin.take() {
        // The exit code of a shell that ends early states that.
        input.write_all(script("").as_bytes()).ok();
    }
    shell.wait().map_err(ClientError::Shell)
}
