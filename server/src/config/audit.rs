//! The command line of `coverage-dashboard audit`.

use clap::{Args, ValueEnum};
use domain::{AuditAction, OrgName, RepoName};
use std::time::Duration;

/// Prints the audit log: who changed what, when, and from where. The oldest row comes first.
#[derive(Clone, Debug, Args)]
pub struct AuditArguments {
    /// Only what was done in this time, such as 30d or 12h [default: everything].
    #[arg(long, value_parser = humantime::parse_duration)]
    pub since: Option<Duration>,

    /// Only what is about this organisation and the groups below it.
    #[arg(long)]
    pub org: Option<OrgName>,

    /// Only what is about this repository of the organisation.
    #[arg(long, requires = "org")]
    pub repo: Option<RepoName>,

    /// Only this action, such as record_deleted.
    #[arg(long, value_parser = action)]
    pub action: Option<AuditAction>,

    /// Lines for people, or one JSON object each.
    #[arg(long, value_enum, default_value_t)]
    pub format: AuditFormat,

    /// The database of the service; it may be running.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite://data/coverage.db"
    )]
    pub database_url: String,
}

/// The form of the audit log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// A line for people, with tabs between its fields.
    #[default]
    Text,
    /// A JSON object in each line.
    Ndjson,
}

fn action(text: &str) -> Result<AuditAction, String> {
    AuditAction::parse(text).ok_or_else(|| {
        let all = AuditAction::ALL.iter().map(|action| action.as_text());
        format!("must be one of {}", all.collect::<Vec<_>>().join(", "))
    })
}
