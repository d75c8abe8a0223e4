//! A coverage record as the API writes it: exactly the ten fields of the specification.

use crate::{rfc3339::rfc3339, store::Record};
use app::domain::Percentage;
use serde::{Serialize, Serializer, ser::SerializeStruct};
use serde_json::value::RawValue;

pub(super) struct RecordJson<'a>(pub(super) &'a Record);

impl Serialize for RecordJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let record = self.0;
        let mut json = serializer.serialize_struct("Record", 10)?;
        json.serialize_field("id", &record.id)?;
        json.serialize_field("org_name", record.repository.org.as_str())?;
        json.serialize_field("repo_name", record.repository.repo.as_str())?;
        json.serialize_field("branch_name", record.branch.as_str())?;
        json.serialize_field("commit_hash", record.commit.as_str())?;
        json.serialize_field("commit_author", record.author.as_str())?;
        json.serialize_field("language", record.language.as_str())?;
        json.serialize_field("percentage", &number(record.percentage))?;
        json.serialize_field("created_at", &rfc3339(record.created_at))?;
        json.serialize_field("updated_at", &rfc3339(record.updated_at))?;
        json.end()
    }
}

/// A JSON number that keeps both decimals: `72.00`, not `72`.
fn number(percentage: Percentage) -> Option<Box<RawValue>> {
    RawValue::from_string(percentage.to_string()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use app::domain::Timestamp;

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
            serde_json::to_string(&RecordJson(&record)).expect("JSON"),
            r#"{"id":7,"org_name":"acme/platform","repo_name":"payments","branch_name":"feature/x","commit_hash":"9be01d2","commit_author":"Zoë","language":"rust","percentage":72.00,"created_at":"2026-04-05T17:15:59.624890+00:00","updated_at":"2026-04-05T17:15:59.000000+00:00"}"#
        );
    }
}
