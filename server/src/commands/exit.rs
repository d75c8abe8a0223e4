//! How a command ends: its exit code, and the error on standard error.

use crate::text::chain;
use std::{
    error::Error,
    io::{self, Write},
    process::ExitCode,
};

/// The exit code of a command that is done; prints why it failed.
pub fn ended(result: Result<(), impl Error>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// Prints why a command failed. A closed terminal changes nothing about the exit code.
pub fn failed(error: &dyn Error) -> ExitCode {
    drop(writeln!(io::stderr(), "error: {}", chain(error)));
    ExitCode::FAILURE
}
