//! The effective settings of the service and where each comes from: printed by `coverage-dashboard config`, and shown by the
//! settings page.

use crate::commands::{Cli, database::without_password, groups};
use clap::{
    Arg, ArgAction, ArgMatches, CommandFactory,
    error::{ContextKind, ContextValue, ErrorKind},
    parser::ValueSource,
};
use config::Serve;
use domain::{Setting, SettingGroup, SettingSource, text::shown};
use std::{
    ffi::OsString,
    io::{self, Write},
    net::SocketAddr,
};

/// Settings whose values are never printed.
const SECRETS: [&str; 5] = [
    "UPLOAD_TOKEN",
    "LOGIN_CLIENT_SECRET",
    "VCS_API_TOKENS",
    "WEBHOOKS",
    "WEBHOOK_SECRET",
];

/// Hides what an error about this command line would quote of a secret setting. Beside such a setting, a word that is no flag may be
/// the rest of it, if its quotes were forgotten.
pub fn without_secret(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    let hidden = || ContextValue::String("(hidden)".to_owned());
    let flags = SECRETS.map(flag_of);
    let is_secret = |argument: &str| {
        let mut flags = flags.iter();
        flags.any(|flag| argument.starts_with(&format!("{flag} ")))
    };
    let has_secret = words.iter().any(|word| {
        let word = word.to_string_lossy();
        flags.iter().any(|flag| word.starts_with(flag))
    });
    let argument = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(argument)) => argument.clone(),
        _ => return error,
    };
    let is_word = error.kind() == ErrorKind::UnknownArgument && !argument.starts_with('-');
    if is_word && has_secret {
        error.insert(ContextKind::InvalidArg, hidden());
    }
    let has_value = matches!(error.get(ContextKind::InvalidValue), Some(ContextValue::String(value)) if !value.is_empty());
    if has_value && is_secret(&argument) {
        error.insert(ContextKind::InvalidValue, hidden());
    }
    error
}

fn flag_of(variable: &str) -> String {
    format!("--{}", variable.to_lowercase().replace('_', "-"))
}

/// Settings that cannot have a password, and whose values may have an `@`: the prefix in a bucket.
const WITHOUT_PASSWORD: [&str; 1] = ["REPORTS_URL"];

/// Print the effective settings of the service, one in each line: variable, value and where it comes from, separated by
/// tabs. Secrets are hidden.
#[derive(Clone, Debug, clap::Args)]
pub struct ConfigArguments {
    /// The settings, as `serve` takes them.
    #[command(flatten)]
    pub serve: Serve,
}

/// Prints a line for each setting, in the order of the help. `matches` is the parsed command line.
pub fn run(
    arguments: &ConfigArguments,
    matches: &ArgMatches,
    out: &mut impl Write,
) -> io::Result<()> {
    let groups = settings(matches, &arguments.serve, arguments.serve.addr);
    for setting in groups.iter().flat_map(|group| &group.settings) {
        let value = setting.value.as_deref().unwrap_or("-");
        writeln!(out, "{}\t{value}\t{}", setting.variable, setting.source)?;
    }
    Ok(())
}

/// Returns all effective settings in the groups of the manual, without secrets. `matches` is the parsed command line of
/// `serve` or `config`, and `listening` the address of the service.
pub fn settings(matches: &ArgMatches, serve: &Serve, listening: SocketAddr) -> Vec<SettingGroup> {
    let command = Cli::command();
    let chosen = matches
        .subcommand()
        .and_then(|(name, matches)| Some((command.find_subcommand(name)?, matches)));
    let Some((command, matches)) = chosen else {
        return Vec::new();
    };
    let setting = |variable: &&'static str| {
        let mut arguments = command.get_arguments();
        let argument = arguments.find(|argument| is_of(argument, variable))?;
        let stated = stated(variable, argument, matches);
        // An empty value counts as missing, since compose files set empty variables.
        let source = match stated {
            Some(_) => source(argument, matches),
            None => SettingSource::Default,
        };
        let value = stated.or_else(|| computed(variable, serve, listening));
        Some(Setting {
            variable,
            about: about(argument),
            value: value.map(shown),
            source,
        })
    };
    let groups = groups::GROUPS.iter().map(|group| SettingGroup {
        heading: group.heading,
        settings: group.variables.iter().filter_map(setting).collect(),
    });
    groups.collect()
}

/// The first sentence of the help.
fn about(argument: &Arg) -> String {
    let help = argument.get_help().map(ToString::to_string);
    let help = help.unwrap_or_default();
    let end = [". ", " ["].into_iter().filter_map(|end| help.find(end));
    let sentence = &help[..end.min().unwrap_or(help.len())];
    sentence.trim_end_matches('.').to_owned()
}

fn is_of(argument: &Arg, variable: &str) -> bool {
    argument.get_env().is_some_and(|name| name == variable)
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
    } else if WITHOUT_PASSWORD.contains(&variable) || !value.contains(':') {
        Some(value)
    } else {
        Some(without_password(&value))
    }
}

/// A default that depends on other settings.
fn computed(variable: &str, serve: &Serve, listening: SocketAddr) -> Option<String> {
    match variable {
        "PUBLIC_URL" => Some(serve.public_url(listening)),
        "LEPTOS_SITE_ROOT" => Some(serve.site_root().display().to_string()),
        "CONNECTIONS_PER_ADDRESS" => Some(serve.limits.connections_per_address().to_string()),
        "REPORT_GRACE" => Some(serve.report_grace.to_string()),
        _ => None,
    }
}

fn source(argument: &Arg, matches: &ArgMatches) -> SettingSource {
    match matches.value_source(argument.get_id().as_str()) {
        Some(ValueSource::CommandLine) => {
            SettingSource::Flag(argument.get_long().unwrap_or_default().to_owned())
        }
        Some(ValueSource::EnvVariable) => SettingSource::Environment,
        _ => SettingSource::Default,
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
        printed_of(&matches.expect("valid settings"))
    }

    fn printed_of(matches: &ArgMatches) -> String {
        let Ok(Command::Config(arguments)) = Cli::from_arg_matches(matches).map(|cli| cli.command)
        else {
            unreachable!("the command is `config`");
        };
        let mut out = Vec::new();
        run(&arguments, matches, &mut out).expect("printed");
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
            "--public-url",
            "https://user:s3cret@c.example",
            "--reports-origin",
            "https://user:s3cret@r.example",
        ]);
        assert!(!text.contains("s3cret"), "{text}");
        assert!(
            text.contains("UPLOAD_TOKEN\t(hidden)\t--upload-token\n"),
            "{text}"
        );
        for shown in [
            "postgres://…@host/db",
            "https://…@c.example",
            "https://…@r.example",
        ] {
            assert!(text.contains(shown), "{shown}: {text}");
        }
    }

    #[test]
    fn an_error_about_the_command_line_quotes_no_secret() {
        for (flag, value) in [
            ("--vcs-api-tokens", "s3cret"),
            ("--webhooks", "slack=s3cret"),
            ("--webhook-secret", "s3cret"),
        ] {
            let own = ["coverage-dashboard", "config", flag, value];
            let error = Cli::command()
                .try_get_matches_from(own)
                .expect_err("refused");
            let text = without_secret(error, &[]).to_string();
            assert!(!text.contains("s3cret"), "{text}");
            assert!(text.contains("'(hidden)'") && text.contains(flag), "{text}");
        }
    }

    #[test]
    fn the_rest_of_a_secret_without_quotes_is_not_quoted() {
        let own = ["coverage-dashboard", "config", "--webhooks"];
        let words = [
            "slack=https://a.example/x,",
            "slack=https://b.example/s3cret",
        ];
        let line: Vec<_> = own.iter().chain(&words).map(OsString::from).collect();
        let error = Cli::command().try_get_matches_from(&line);
        let text = without_secret(error.expect_err("refused"), &line).to_string();
        assert!(
            text.contains("'(hidden)'") && !text.contains("s3cret"),
            "{text}"
        );
        let missing = Cli::command()
            .try_get_matches_from(own)
            .expect_err("refused");
        let text = without_secret(missing, &line).to_string();
        assert!(text.contains("a value is required"), "{text}");
        // Without a secret beside it, a wrong word is named.
        let line = ["coverage-dashboard", "serve", "now"].map(OsString::from);
        let error = Cli::command().try_get_matches_from(&line);
        let text = without_secret(error.expect_err("refused"), &line).to_string();
        assert!(text.contains("'now'"), "{text}");
    }

    #[test]
    fn no_setting_keeps_the_password_of_a_url() {
        let names = groups::GROUPS.iter().flat_map(|group| group.variables);
        for variable in names {
            let command = Cli::command();
            let command = command.find_subcommand("config").expect("the command");
            let mut arguments = command.get_arguments();
            let argument = arguments.find(|argument| is_of(argument, variable));
            let flag = format!("--{}", argument.and_then(Arg::get_long).expect("a flag"));
            for value in [
                "https://user:s3cret@x.example",
                "github=https://user:s3cret@x.example",
            ] {
                let own = ["coverage-dashboard", "config", &flag, value];
                let Ok(matches) = Cli::command().try_get_matches_from(own) else {
                    continue;
                };
                let text = printed_of(&matches);
                assert!(!text.contains("s3cret"), "{variable}: {text}");
            }
        }
    }
}
