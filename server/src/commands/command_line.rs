//! Reads the command line of a program.

use super::{empty_variables::ignoring_empty_variables, settings::without_secret};
use clap::{ArgMatches, CommandFactory, Error, FromArgMatches};
use std::env;

/// Reads the command line of this process. Empty variables count as absent.
///
/// # Errors
///
/// What is wrong with it, without secrets, or the help.
pub fn read<Cli: CommandFactory + FromArgMatches>() -> Result<(Cli, ArgMatches), Error> {
    let words: Vec<_> = env::args_os().collect();
    let matches = ignoring_empty_variables(Cli::command()).try_get_matches_from(&words);
    let matches = matches.map_err(|error| without_secret(error, &words))?;
    Ok((Cli::from_arg_matches(&matches)?, matches))
}
