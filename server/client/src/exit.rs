//! How a process ends: its exit code, and the error on standard error.

use domain::text::{chain, printed};
use std::{
    error::Error,
    io::{self, Write},
    process::ExitCode,
    time::Duration,
};
use tokio::runtime::Runtime;

/// How long threads may take to finish at the end. A thread that hangs on a disk or a name lookup must not keep the process
/// running.
const LAST_WORK: Duration = Duration::from_secs(1);

/// Runs a program to its end.
pub fn run(program: impl Future<Output = ExitCode>) -> ExitCode {
    let runtime = match Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return failed(&error),
    };
    let code = runtime.block_on(program);
    runtime.shutdown_timeout(LAST_WORK);
    code
}

/// The exit code of a command that is done; prints why it failed.
pub fn ended(result: Result<(), impl Error>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// Prints why a command failed. A closed terminal changes nothing about the exit code.
pub fn failed(error: &dyn Error) -> ExitCode {
    for line in format!("error: {}", chain(error)).lines() {
        drop(writeln!(io::stderr(), "{}", printed(line)));
    }
    ExitCode::FAILURE
}
