//! `coverage-dashboard config`: prints the effective settings of the service, and where each comes from.

use crate::{
    commands::{Cli, database::without_password},
    config::{Serve, groups, removed},
    text::shown,
};
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, parser::ValueSource};
use std::io::{self, Write};

/// Settings whose values are never printed.
const SECRETS: [&str; 1] = ["UPLOAD_TOKEN"];

/// Settings that may be URLs with a password. `OUTBOUND_PROXY` may not have one.
const URLS: [&str; 1] = ["DATABASE_URL"];

/// Print the effective settings of the service, one in each line: variable, value and where it comes from, separated by
/// tabs. Secrets are hidden.
#[derive(Clone, Debug, clap::Args)]
pub struct ConfigArguments {
    /// The settings, as `serve` takes them.
    #[command(flatten)]
    pub serve: Serve,
}

/// Prints a line for each setting, in the order of the help, and a note for each removed variable that is set. `matches` is
/// the parsed command line.
///
/// # Errors
///
/// When `out` or `notes` cannot be written.
pub fn run(
    arguments: &ConfigArguments,
    matches: &ArgMatches,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> io::Result<()> {
    for removed in removed::set_in_this_process() {
        writeln!(notes, "warning: {removed}")?;
    }
    let Some((name, matches)) = matches.subcommand() else {
        return Ok(());
    };
    let command = Cli::command();
    let Some(command) = command.find_subcommand(name) else {
        return Ok(());
    };
    let mut settings: Vec<_> = command.get_arguments().collect();
    settings.sort_by_key(|argument| groups::order(argument));
    for argument in settings {
        if let Some(variable) = argument.get_env() {
            let variable = variable.to_string_lossy();
            let stated = stated(&variable, argument, matches);
            // An empty value counts as missing, since compose files set empty variables.
            let source = match stated {
                Some(_) => source(argument, matches),
                None => "default".to_owned(),
            };
            let value = stated.or_else(|| computed(&variable, &arguments.serve));
            let value = value.map_or_else(|| "-".to_owned(), shown);
            writeln!(out, "{variable}\t{value}\t{source}")?;
        }
    }
    Ok(())
}

/// The value that the command line, the environment or the definition of the argument states.
fn stated(variable: &str, argument: &Arg, matches: &ArgMatches) -> Option<String> {
    let id = argument.get_id().as_str();
    if matches!(argument.get_action(), ArgAction::SetTrue) {
        let value = if matches.get_flag(id) { "on" } else { "off" };
        return Some(value.to_owned());
    }
    let values = matches.get_raw(id);
    let values: Vec<_> = values
        .into_iter()
        .flatten()
        .map(|value| value.to_string_lossy())
        .collect();
    let value = values.join(",");
    if value.trim().is_empty() {
        None
    } else if SECRETS.contains(&variable) {
        Some("(hidden)".to_owned())
    } else if URLS.contains(&variable) {
        Some(without_password(&value))
    } else {
        Some(value)
    }
}

/// A default that depends on other settings.
fn computed(variable: &str, serve: &Serve) -> Option<String> {
    match variable {
        "PUBLIC_URL" => Some(serve.public_url(serve.addr)),
        "LEPTOS_SITE_ROOT" => Some(serve.site_root().display().to_string()),
        "CONNECTIONS_PER_ADDRESS" => Some(serve.limits.connections_per_address().to_string()),
        "REPORT_GRACE" => Some(serve.report_grace.to_string()),
        _ => None,
    }
}

fn source(argument: &Arg, matches: &ArgMatches) -> String {
    let flag = argument.get_long().unwrap_or_default();
    match matches.value_source(argument.get_id().as_str()) {
        Some(ValueSource::CommandLine) => format!("--{flag}"),
        Some(ValueSource::EnvVariable) => "environment".to_owned(),
        _ => "default".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Command;
    use clap::FromArgMatches;

    fn printed(arguments: &[&str]) -> String {
        let own = ["coverage-dashboard", "config"];
        let matches = Cli::command().try_get_matches_from(own.iter().chain(arguments));
        let matches = matches.expect("valid settings");
        let Ok(Command::Config(arguments)) = Cli::from_arg_matches(&matches).map(|cli| cli.command)
        else {
            unreachable!("the command is `config`");
        };
        let mut out = Vec::new();
        run(&arguments, &matches, &mut out, &mut Vec::new()).expect("printed");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn each_setting_has_its_value_and_its_source() {
        let text = printed(&["--addr", "127.0.0.1:0", "--public-url", "https://c.example"]);
        assert!(
            text.contains("COVERAGE_ADDR\t127.0.0.1:0\t--addr\n"),
            "{text}"
        );
        assert!(
            text.contains("PUBLIC_URL\thttps://c.example\t--public-url\n"),
            "{text}"
        );
        assert!(text.contains("REPORT_GRACE\t7d\tdefault\n"), "{text}");
        assert!(
            text.contains("CONNECTIONS_PER_ADDRESS\t128\tdefault\n"),
            "{text}"
        );
        assert!(text.contains("PROTECT_READING\toff\tdefault\n"), "{text}");
    }

    #[test]
    fn defaults_that_depend_on_other_settings_are_computed() {
        let text = printed(&["--addr", "127.0.0.1:8080", "--report-grace", ""]);
        assert!(
            text.contains("PUBLIC_URL\thttp://127.0.0.1:8080\tdefault\n"),
            "{text}"
        );
        assert!(text.contains("REPORT_GRACE\t7 days\tdefault\n"), "{text}");
    }

    #[test]
    fn settings_are_in_the_order_of_the_help() {
        let text = printed(&[]);
        let variables: Vec<_> = text
            .lines()
            .filter_map(|line| line.split('\t').next())
            .collect();
        let grouped = groups::GROUPS.iter().flat_map(|group| group.variables);
        assert_eq!(variables, grouped.copied().collect::<Vec<_>>());
    }

    #[test]
    fn secrets_are_hidden() {
        let text = printed(&[
            "--upload-token",
            "s3cret",
            "--database-url",
            "postgres://user:s3cret@host/db",
        ]);
        assert!(!text.contains("s3cret"), "{text}");
        assert!(
            text.contains("UPLOAD_TOKEN\t(hidden)\t--upload-token\n"),
            "{text}"
        );
        assert!(text.contains("postgres://…@host/db"), "{text}");
    }
}
