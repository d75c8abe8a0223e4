//! `coverage-dashboard audit`: prints the audit log of a database whose service may be running.

use crate::commands::{CommandError, database::DatabaseArguments};
use clap::{Args, ValueEnum};
use domain::{AuditAction, AuditEntry, OrgName, RepoName, Scope, Timestamp, text::shown};
use std::{
    io::{self, Write},
    time::Duration,
};
use store::{AuditFilter, Store, now};

/// Prints the audit log: who changed what, when, and from where. The oldest row comes first.
#[derive(Clone, Debug, Args)]
pub struct AuditArguments {
    /// Print only the newest rows: 30d for the last 30 days, 12h for the last 12 hours [default: all rows].
    #[arg(long, value_parser = humantime::parse_duration)]
    pub since: Option<Duration>,

    /// Print only rows about this org and its groups.
    #[arg(long)]
    pub org: Option<OrgName>,

    /// Print only rows about this repository of the org.
    #[arg(long, requires = "org")]
    pub repo: Option<RepoName>,

    /// Print only this action, such as record_deleted.
    #[arg(long, value_parser = action)]
    pub action: Option<AuditAction>,

    /// text for people, or ndjson for programs.
    #[arg(long, value_enum, default_value_t)]
    pub format: AuditFormat,

    #[command(flatten)]
    pub database: DatabaseArguments,
}

/// The form of the audit log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    /// One line for each row, with tabs between the fields.
    #[default]
    Text,
    /// One JSON object on each line.
    Ndjson,
}

fn action(text: &str) -> Result<AuditAction, String> {
    text.parse().ok().ok_or_else(|| {
        let all = AuditAction::ALL.iter().map(|action| action.word());
        format!("must be one of {}", all.collect::<Vec<_>>().join(", "))
    })
}

/// Prints the selected rows to `out`, oldest first.
pub(crate) async fn run(
    arguments: AuditArguments,
    out: &mut impl Write,
    notes: &mut impl Write,
) -> Result<(), CommandError> {
    let since = arguments.since.map(|since| {
        let microseconds = i64::try_from(since.as_micros()).unwrap_or(i64::MAX);
        Timestamp(now().0.saturating_sub(microseconds))
    });
    let scope = Scope::new(arguments.org, arguments.repo);
    let filter = AuditFilter {
        since,
        scope,
        action: arguments.action,
    };
    let print = async |store: &Store, _: &mut _| {
        let mut reading = store.operator().read_audit(filter);
        loop {
            let entries = reading.next().await?;
            if entries.is_empty() {
                return Ok(out.flush()?);
            }
            for entry in &entries {
                match arguments.format {
                    AuditFormat::Text => writeln!(out, "{}", line(entry))?,
                    AuditFormat::Ndjson => {
                        let json = serde_json::to_string(entry).map_err(io::Error::from)?;
                        writeln!(out, "{json}")?;
                    }
                }
            }
        }
    };
    arguments.database.with(notes, print).await
}

/// Returns the time, actor, source, action, repository, subject, old value and new value, separated by tabs.
fn line(entry: &AuditEntry) -> String {
    let actor = format!("{} {}", entry.actor_kind, entry.actor);
    let fields = [
        entry.at.machine(),
        actor,
        entry.source.clone(),
        entry.action.clone(),
        entry.about().unwrap_or_else(|| "-".to_owned()),
        entry.subject.clone(),
        entry.old.clone().unwrap_or_else(|| "-".to_owned()),
        entry.new.clone().unwrap_or_else(|| "-".to_owned()),
    ];
    fields.map(shown).join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_audit_log_line_stays_one_line_with_any_names() {
        let entry = AuditEntry {
            id: 1,
            at: Timestamp(0),
            actor_kind: "token".to_owned(),
            actor: "a\tb".to_owned(),
            source: "::1".to_owned(),
            action: "record_deleted".to_owned(),
            org: Some("acme".to_owned()),
            repo: None,
            subject: "x\u{202e}\n\u{1b}[31m".to_owned(),
            old: None,
            new: Some("é".to_owned()),
        };
        let text = line(&entry);
        assert_eq!(text.matches('\t').count(), 7, "{text:?}");
        assert!(!text.contains(['\n', '\u{1b}', '\u{202e}']), "{text:?}");
        assert!(
            text.starts_with(
                "1970-01-01T00:00:00Z\ttoken a\u{fffd}b\t::1\trecord_deleted\tacme/…\t"
            )
        );
    }
}
