//! Environment variables. Empty ones count as not set, since compose files set variables without a value.

use clap::Command;
use std::{env, ffi::OsStr};

/// A variable of the user or of the CI job, which is no setting of the service. `None` if it is not set or empty.
#[expect(
    clippy::disallowed_methods,
    reason = "CI systems and users set these for all programs"
)]
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

/// Makes the arguments of a command and its subcommands ignore variables that are empty in this process.
#[expect(
    clippy::disallowed_methods,
    reason = "the arguments name the variables to read"
)]
pub(crate) fn ignoring_empty_variables(command: Command) -> Command {
    ignoring(command, |variable| {
        env::var_os(variable).is_some_and(|value| value.to_string_lossy().trim().is_empty())
    })
}

fn ignoring(command: Command, is_empty: fn(&OsStr) -> bool) -> Command {
    command
        .mut_args(|argument| {
            if argument.get_env().is_some_and(is_empty) {
                argument.env(None)
            } else {
                argument
            }
        })
        .mut_subcommands(|subcommand| ignoring(subcommand, is_empty))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    #[test]
    fn an_argument_of_a_subcommand_ignores_its_empty_variable() {
        let argument = |name: &'static str, variable: &'static str| Arg::new(name).env(variable);
        let serve = Command::new("serve").args([argument("a", "EMPTY"), argument("b", "SET")]);
        let program = Command::new("program").subcommand(serve);
        let program = ignoring(program, |variable| variable == "EMPTY");
        let serve = program.find_subcommand("serve").expect("serve");
        let variables: Vec<_> = serve
            .get_arguments()
            .filter_map(|argument| argument.get_env()?.to_str())
            .collect();
        assert_eq!(variables, ["SET"]);
    }
}
