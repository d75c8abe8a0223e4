//! The groups of the settings, in the order of the help, of `config` and of the manual.

use clap::{Arg, ArgAction, Command};
use client::command_line::without_values;

/// Settings that belong together.
pub(crate) struct Group {
    pub heading: &'static str,
    /// Their variables, in order.
    pub variables: &'static [&'static str],
}

/// All settings. `--help` shows the first group.
pub(crate) const GROUPS: [Group; 9] = [
    Group {
        heading: "Common",
        variables: &[
            "COVERAGE_ADDR",
            "PUBLIC_URL",
            "DATABASE_URL",
            "REPORTS_URL",
            "UPLOAD_TOKEN",
            "VCS_API_URLS",
            "OIDC_ISSUERS",
            "UPLOAD_ORGS",
            "PROTECT_READING",
            "TRUSTED_PROXIES",
            "KEEP_REPORTS_DAYS",
            "PRUNE_AT",
            "MAX_UPLOAD_BYTES",
            "COVERAGE_TARGET",
            "LOG_FORMAT",
        ],
    },
    Group {
        heading: "Who may upload",
        variables: &[
            "OIDC_CLAIMS",
            "QUEUE_BRANCHES",
            "ACCEPT",
            "OUTBOUND_PROXY",
            "FAILED_TRIES_PER_ADDRESS",
            "FAILED_TRIES_PER_REPOSITORY",
        ],
    },
    Group {
        heading: "Who may read",
        variables: &[
            "LOGIN_ISSUER",
            "LOGIN_CLIENT_ID",
            "LOGIN_CLIENT_SECRET",
            "READ_ORGS",
            "LOGIN_SCOPES",
            "LOGIN_GROUPS_CLAIM",
            "ADMIN_GROUPS",
            "OPEN_BADGES",
            "USER_HEADER",
            "GROUPS_HEADER",
            "LOGIN_SECONDS",
            "SESSION_SECONDS",
            "REPORT_LINK_SECONDS",
            "ALLOWED_HOSTS",
            "REPORTS_ORIGIN",
        ],
    },
    Group {
        heading: "Commit statuses, links to forges, and badges",
        variables: &[
            "MINIMUM_COVERAGE",
            "VCS_API_TOKENS",
            "FORGE_URLS",
            "BADGE_THRESHOLDS",
        ],
    },
    Group {
        heading: "Storage",
        variables: &[
            "DATABASE_CONNECTIONS",
            "DATABASE_READ_URL",
            "SCRATCH_FOLDER",
            "LEPTOS_SITE_ROOT",
        ],
    },
    Group {
        heading: "Retention and quotas",
        variables: &[
            "KEEP_WEEKLY_REPORTS_DAYS",
            "KEEP_REPORTS_PER_BRANCH",
            "KEEP_LINES_DAYS",
            "SOURCES",
            "PARTS_TIMEOUT",
            "REPORT_GRACE",
            "QUOTA_BYTES_PER_ORG",
            "QUOTA_BYTES_PER_REPOSITORY",
        ],
    },
    Group {
        heading: "Notifications",
        variables: &[
            "WEBHOOKS",
            "WEBHOOK_EVENTS",
            "WEBHOOK_SECRET",
            "WEBHOOK_NETWORKS",
        ],
    },
    Group {
        heading: "Monitoring and shutdown",
        variables: &[
            "METRICS_ADDR",
            "METRICS_REPOSITORIES",
            "METRICS_OWNERS",
            "SHUTDOWN_DELAY_SECONDS",
            "SHUTDOWN_GRACE_SECONDS",
        ],
    },
    Group {
        heading: "Limits",
        variables: &[
            "MAX_UNPACKED_BYTES",
            "MAX_REPORT_MEMORY_BYTES",
            "CONCURRENT_UPLOADS",
            "MAX_CONNECTIONS",
            "CONNECTIONS_PER_ADDRESS",
        ],
    },
];

/// The place of a variable: its group, and its number in the group.
fn place_of(variable: &str) -> Option<(usize, usize)> {
    GROUPS.iter().enumerate().find_map(|(group, of)| {
        let number = of.variables.iter().position(|other| *other == variable)?;
        Some((group, number))
    })
}

/// The place of an argument by its variable. Arguments without a place are last.
fn order(argument: &Arg) -> (usize, usize) {
    let variable = argument.get_env().and_then(|variable| variable.to_str());
    let place = variable.and_then(place_of);
    place.unwrap_or((GROUPS.len(), 0))
}

/// Prepares the help of a command and its subcommands. No value of a variable is shown, since some are secrets. `serve` and
/// `config` show their settings in groups: `--help` the common ones, `--help-all` all.
pub(crate) fn arrange(command: Command) -> Command {
    let command = without_values(command).mut_subcommands(arrange);
    if ["serve", "config", "test-webhooks"].contains(&command.get_name()) {
        in_groups(command)
    } else {
        command
    }
}

fn in_groups(command: Command) -> Command {
    let command = command.mut_args(|argument| {
        let (group, number) = order(&argument);
        match GROUPS.get(group) {
            Some(of) => argument
                .help_heading(of.heading)
                .hide_short_help(group > 0)
                .display_order(number),
            None => argument,
        }
    });
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::HelpShort)
        .help("Print the common settings");
    let help_all = Arg::new("help-all")
        .long("help-all")
        .action(ArgAction::HelpLong)
        .help("Print all settings");
    command
        .disable_help_flag(true)
        .args([help, help_all].map(|argument| argument.help_heading("Help")))
        .after_help("These are the common settings; --help-all shows the rest.")
        .after_long_help("docs/src/configuration.md explains all settings.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Cli;
    use clap::CommandFactory;
    use std::collections::BTreeSet;

    const PAGE: &str = include_str!("../../../docs/src/configuration.md");

    fn serve() -> Command {
        let cli = Cli::command();
        cli.find_subcommand("serve").expect("serve").clone()
    }

    /// The headings and variables of the manual's tables, in order.
    fn manual() -> Vec<(&'static str, Vec<&'static str>)> {
        let mut groups: Vec<(_, Vec<_>)> = Vec::new();
        for line in PAGE.lines() {
            if let Some(heading) = line.strip_prefix("## ") {
                groups.push((heading, Vec::new()));
            } else if line.starts_with("| `")
                && let Some((_, variables)) = groups.last_mut()
            {
                let cell = line.split('|').nth(1).unwrap_or_default();
                let names = cell.split(',').map(|name| name.trim().trim_matches('`'));
                variables.extend(names);
            }
        }
        groups.retain(|(_, variables)| !variables.is_empty());
        groups
    }

    #[test]
    fn every_setting_is_in_exactly_one_group() {
        let serve = serve();
        let settings: Vec<_> = serve
            .get_arguments()
            .filter_map(|argument| argument.get_env()?.to_str())
            .collect();
        let grouped: Vec<_> = GROUPS.iter().flat_map(|group| group.variables).collect();
        let unique: BTreeSet<_> = grouped.iter().copied().collect();
        assert_eq!(unique.len(), grouped.len(), "a variable is in two groups");
        assert_eq!(unique, settings.iter().collect());
    }

    #[test]
    fn the_manual_lists_the_same_settings_in_the_same_order() {
        let groups = GROUPS
            .iter()
            .map(|group| (group.heading, group.variables.to_vec()));
        assert_eq!(manual(), groups.collect::<Vec<_>>());
        let rows = PAGE.lines().filter(|line| line.starts_with("| `")).count();
        assert!(rows <= 40, "{rows} rows are too many to read");
    }

    #[test]
    fn no_help_shows_the_value_of_a_variable() {
        fn assert_hidden(command: &Command) {
            for argument in command.get_arguments() {
                let is_shown = argument.get_env().is_some() && !argument.is_hide_env_values_set();
                assert!(!is_shown, "{argument} of {}", command.get_name());
            }
            command.get_subcommands().for_each(assert_hidden);
        }
        assert_hidden(&Cli::command());
    }

    #[test]
    fn help_shows_the_common_settings_and_help_all_shows_all() {
        let short = serve().render_help().to_string();
        let long = serve().render_long_help().to_string();
        for (number, group) in GROUPS.iter().enumerate() {
            for variable in group.variables {
                let shown = format!("[env: {variable}]");
                assert_eq!(short.contains(&shown), number == 0, "{variable}: {short}");
                assert!(long.contains(&shown), "{variable}: {long}");
            }
        }
        assert!(short.contains("--help-all shows the rest"), "{short}");
        let headings = GROUPS.iter().map(|group| {
            let line = format!("\n{}:\n", group.heading);
            long.find(&line)
                .unwrap_or_else(|| panic!("{line} in {long}"))
        });
        assert!(headings.is_sorted(), "{long}");
    }
}
