//! A coverage record as the API writes it: exactly the ten fields of the specification.

use domain::{Change, Percentage, text::rfc3339};
use serde::Serialize;
use serde_json::value::RawValue;
use store::Record;
use utoipa::ToSchema;

/// The result of one upload.
#[derive(Serialize, ToSchema)]
#[schema(as = Record)]
pub(super) struct RecordJson<'a> {
    /// Its identifier, which is never reused.
    #[schema(minimum = 1, examples(17))]
    id: i64,
    /// The org, possibly a nested group, in its first spelling.
    #[schema(examples("acme"))]
    org_name: &'a str,
    /// The repository within it, in its first spelling.
    #[schema(examples("payments"))]
    repo_name: &'a str,
    /// The branch; it may contain `/`.
    #[schema(examples("main"))]
    branch_name: &'a str,
    /// The measured commit.
    #[schema(examples("9be01d2f6a7c4e5b8d3f1a2b3c4d5e6f7a8b9c0d"))]
    commit_hash: &'a str,
    /// The author of the commit.
    #[schema(examples("Kim"))]
    commit_author: &'a str,
    /// The language of the measured code.
    #[schema(examples("python"))]
    language: &'a str,
    /// Line coverage with two decimals. Only full coverage is 100.00, and only no coverage is 0.00.
    #[schema(value_type = f64, minimum = 0, maximum = 100, examples(84.14))]
    percentage: Option<Box<RawValue>>,
    /// When the commit was first uploaded.
    #[schema(format = DateTime, examples("2026-04-05T17:15:59.624890+00:00"))]
    created_at: String,
    /// When it was last uploaded.
    #[schema(format = DateTime, examples("2026-04-05T17:15:59.624890+00:00"))]
    updated_at: String,
}

impl<'a> From<&'a Record> for RecordJson<'a> {
    fn from(record: &'a Record) -> Self {
        Self {
            id: record.id,
            org_name: record.repository.org.as_str(),
            repo_name: record.repository.repo.as_str(),
            branch_name: record.branch.as_str(),
            commit_hash: record.commit.as_str(),
            commit_author: record.author.as_str(),
            language: record.language.as_str(),
            percentage: number(record.percentage),
            created_at: rfc3339(record.created_at),
            updated_at: rfc3339(record.updated_at),
        }
    }
}

/// Returns a JSON number with both decimals: `72.00`, not `72`.
pub(super) fn number(percentage: Percentage) -> Option<Box<RawValue>> {
    RawValue::from_string(percentage.to_string()).ok()
}

/// Returns a change as a JSON number with both decimals: `-0.41`.
pub(super) fn points(change: Change) -> Option<Box<RawValue>> {
    RawValue::from_string(plain(change)).ok()
}

/// Returns a change as programs read it: with a hyphen as minus and without a plus.
pub(super) fn plain(change: Change) -> String {
    change.to_string().replace('\u{2212}', "-").replace('+', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Timestamp;

    #[test]
    fn a_record_has_exactly_the_ten_fields_of_the_specification() {
        let record = Record {
            id: 7,
            repository: "acme/platform/payments".parse().expect("a repository"),
            branch: "feature/x".parse().expect("a branch"),
            commit: "9be01d2".parse().expect("a commit"),
            author: "Zoë".parse().expect("an author"),
            language: "rust".parse().expect("a language"),
            percentage: Percentage::from_basis_points(7_200),
            created_at: Timestamp(1_775_409_359_624_890),
            updated_at: Timestamp(1_775_409_359_000_000),
        };
        assert_eq!(
            serde_json::to_string(&RecordJson::from(&record)).expect("JSON"),
            r#"{"id":7,"org_name":"acme/platform","repo_name":"payments","branch_name":"feature/x","commit_hash":"9be01d2","commit_author":"Zoë","language":"rust","percentage":72.00,"created_at":"2026-04-05T17:15:59.624890+00:00","updated_at":"2026-04-05T17:15:59.000000+00:00"}"#
        );
    }
}
