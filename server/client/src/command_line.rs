//! Reads the command line of a program.

use crate::environment::ignoring_empty_variables;
use clap::{ArgMatches, Command, CommandFactory, Error, FromArgMatches};
use std::{env, ffi::OsString};

/// Reads the command line of this process. Empty variables count as absent. `without_secrets` removes secrets from an error.
///
/// # Errors
///
/// The command line is invalid, or it requests the help.
pub fn read<Cli: CommandFactory + FromArgMatches>(
    without_secrets: impl Fn(Error, &[OsString]) -> Error,
) -> Result<(Cli, ArgMatches), Error> {
    let words: Vec<_> = env::args_os().collect();
    let matches = ignoring_empty_variables(Cli::command()).try_get_matches_from(&words);
    let matches = matches.map_err(|error| without_secrets(error, &words))?;
    Ok((Cli::from_arg_matches(&matches)?, matches))
}

/// Hides in the help of a command the values of variables, since some are secrets, and empty defaults.
pub fn without_values(command: Command) -> Command {
    command.mut_args(|argument| {
        let has_default = argument
            .get_default_values()
            .iter()
            .any(|value| !value.is_empty());
        let argument = argument.hide_env_values(true);
        argument.hide_default_value(!has_default)
    })
}
