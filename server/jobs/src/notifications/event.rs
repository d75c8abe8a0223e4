//! Events, as JSON for receivers and as one sentence for people.

use domain::{
    Change, Percentage, Repository,
    text::{rfc3339, shown},
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use store::{MOST_IN_AN_HOUR, RecordSummary, now};

/// An event. Its JSON is the body for webhooks of the kind `json`.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Event {
    /// The kind of the event.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// The time when it was detected (RFC 3339).
    pub timestamp: String,
    /// The subject of the event.
    pub data: Data,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub enum EventKind {
    #[serde(rename = "gate.failed")]
    GateFailed,
    #[serde(rename = "coverage.dropped")]
    CoverageDropped,
    #[serde(rename = "repository.silent")]
    RepositorySilent,
    #[serde(rename = "digest")]
    Digest,
    /// The operator tests the webhook.
    #[serde(rename = "test")]
    Test,
}

/// The subject of an event. The names of fields are the names in the API.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Data {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub org_name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub repo_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pull_request: Option<String>,
    /// In percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percentage: Option<Box<RawValue>>,
    /// The coverage before, in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_percentage: Option<Box<RawValue>>,
    /// The rules that failed, one sentence for each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// The time of the last upload (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_upload_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<u16>,
    /// The owner of a digest, if it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The first day of a digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The last day of a digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The sum of new lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub new: Option<Box<RawValue>>,
    /// The owners with the most untested new lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owners: Option<Box<RawValue>>,
    /// The repositories with the most untested new lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_repository: Option<Box<RawValue>>,
    /// The owners whose percentages changed most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_owners: Option<Box<RawValue>>,
    /// The repositories whose percentages changed most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_repositories: Option<Box<RawValue>>,
    /// The repositories without uploads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub silent: Option<Box<RawValue>>,
    /// The gates that failed most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gates: Option<Box<RawValue>>,
    /// The page about the subject.
    pub url: String,
    /// The whole event in one sentence, or in a few lines, as plain text.
    pub text: String,
}

impl Event {
    pub(super) fn now(kind: EventKind, data: Data, sentence: String) -> Self {
        Self::of_lines(kind, data, &[sentence])
    }

    /// An event whose text has several lines. No name in a line can begin another line.
    pub(super) fn of_lines(kind: EventKind, data: Data, lines: &[String]) -> Self {
        let lines: Vec<_> = lines.iter().map(shown).collect();
        Self {
            kind,
            timestamp: rfc3339(now()),
            data: Data {
                text: lines.join("\n"),
                ..data
            },
        }
    }

    /// The same event, with the notice that further events of its repository are skipped.
    pub(super) fn last(&self) -> Self {
        let text = format!(
            "{}; this is notification {MOST_IN_AN_HOUR} of this repository within an hour, and further ones are left out \
             until the hour has passed",
            self.data.text
        );
        Self {
            data: Data {
                text,
                ..self.data.clone()
            },
            ..self.clone()
        }
    }

    /// An event that tests a webhook.
    pub fn test(public_url: &str) -> Self {
        let data = Data {
            url: format!("{public_url}/"),
            ..Data::default()
        };
        let sentence = "This is a test of the notifications of the coverage dashboard.";
        Self::now(EventKind::Test, data, sentence.to_owned())
    }
}

impl Data {
    pub(super) fn of_record(summary: &RecordSummary, url: String) -> Self {
        let record = &summary.record;
        Self {
            record_id: Some(record.id),
            branch_name: Some(record.branch.to_string()),
            commit_hash: Some(record.commit.to_string()),
            language: Some(record.language.to_string()),
            pull_request: summary.pull_request.as_ref().map(ToString::to_string),
            percentage: number(record.percentage),
            ..Self::of_repository(&record.repository, url)
        }
    }

    pub(super) fn of_repository(repository: &Repository, url: String) -> Self {
        Self {
            org_name: repository.org.to_string(),
            repo_name: repository.repo.to_string(),
            url,
            ..Self::default()
        }
    }
}

/// A percentage as a JSON number with two decimals.
pub(super) fn number(percentage: Percentage) -> Option<Box<RawValue>> {
    RawValue::from_string(percentage.to_string()).ok()
}

pub(super) fn gate_failed(summary: &RecordSummary, reasons: &[String]) -> String {
    let (repository, place) = (&summary.record.repository, place(summary));
    format!(
        "{repository}: the gate failed on {place}: {}",
        reasons.join("; ")
    )
}

pub(super) fn dropped(summary: &RecordSummary, before: Percentage) -> String {
    let (repository, now) = (&summary.record.repository, summary.record.percentage);
    let (place, change) = (place(summary), Change::between(before, now));
    format!("{repository}: coverage of {place} dropped from {before} % to {now} % ({change})")
}

pub(super) fn silent(repository: &Repository, days: u16) -> String {
    let days = match days {
        1 => "one day".to_owned(),
        days => format!("{days} days"),
    };
    format!("{repository}: no upload for {days}")
}

fn place(summary: &RecordSummary) -> String {
    let record = &summary.record;
    let (branch, language, commit) = (&record.branch, &record.language, record.commit.short());
    format!("{branch} ({language}, {commit})")
}
