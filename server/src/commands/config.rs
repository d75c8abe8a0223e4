//! `coverage-dashboard config`: prints the effective settings of the service, and where each comes from.

use crate::{
    commands::{Cli, database::without_password},
    config::Serve,
    text::shown,
};
use clap::{Arg, ArgMatches, CommandFactory, parser::ValueSource};
use std::io::{self, Write};

/// Settings whose values are never printed.
const SECRETS: [&str; 1] = ["UPLOAD_TOKEN"];

/// Settings that may be URLs with a password.
const URLS: [&str; 2] = ["DATABASE_URL", "OUTBOUND_PROXY"];

/// Prints the effective settings of the service: variable, value and source, separated by tabs. Secrets are hidden.
#[derive(Clone, Debug, clap::Args)]
pub struct ConfigArguments {
    /// The settings, as `serve` takes them.
    #[command(flatten)]
    pub serve: Serve,
}

/// Prints a line for each setting. `matches` is the parsed command line.
///
/// # Errors
///
/// When `out` cannot be written.
pub fn run(matches: &ArgMatches, out: &mut impl Write) -> io::Result<()> {
    let Some((name, matches)) = matches.subcommand() else {
        return Ok(());
    };
    let command = Cli::command();
    let Some(command) = command.find_subcommand(name) else {
        return Ok(());
    };
    for argument in command.get_arguments() {
        if let Some(variable) = argument.get_env() {
            let variable = variable.to_string_lossy();
            let value = shown(value(&variable, argument, matches));
            writeln!(out, "{variable}\t{value}\t{}", source(argument, matches))?;
        }
    }
    Ok(())
}

fn value(variable: &str, argument: &Arg, matches: &ArgMatches) -> String {
    let values = matches.get_raw(argument.get_id().as_str());
    let values: Vec<_> = values
        .into_iter()
        .flatten()
        .map(|value| value.to_string_lossy())
        .collect();
    let value = values.join(",");
    if value.trim().is_empty() {
        "-".to_owned()
    } else if SECRETS.contains(&variable) {
        "(hidden)".to_owned()
    } else if URLS.contains(&variable) {
        without_password(&value)
    } else {
        value
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

    fn printed(arguments: &[&str]) -> String {
        let own = ["coverage-dashboard", "config"];
        let matches = Cli::command().get_matches_from(own.iter().chain(arguments));
        let mut out = Vec::new();
        run(&matches, &mut out).expect("printed");
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
        assert!(text.contains("MAX_UNPACKED_BYTES\t4294967296\tdefault\n"), "{text}");
    }

    #[test]
    fn secrets_are_hidden() {
        let text = printed(&[
            "--upload-token",
            "s3cret",
            "--database-url",
            "postgres://user:s3cret@host/db",
            "--outbound-proxy",
            "http://user:s3cret@proxy:3128",
        ]);
        assert!(!text.contains("s3cret"), "{text}");
        assert!(
            text.contains("UPLOAD_TOKEN\t(hidden)\t--upload-token\n"),
            "{text}"
        );
        assert!(text.contains("postgres://…@host/db"), "{text}");
    }
}
