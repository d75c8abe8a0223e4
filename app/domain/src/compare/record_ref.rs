//! How an address names a record.

use crate::{BranchName, Repository};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A record, by its id or as the current record of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordRef {
    /// `42`. The address of the record's page is parsed to the same value.
    Id(i64),
    /// `acme/shop@main`: the branch's current record at the time of the request.
    CurrentOf(Repository, BranchName),
}

/// The text does not name a record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "“{0}” is not a record: enter a record number, the address of a record page, or org/repo@branch"
)]
pub struct RecordRefError(String);

impl FromStr for RecordRef {
    type Err = RecordRefError;

    fn from_str(text: &str) -> Result<Self, RecordRefError> {
        let text = text.trim();
        let wrong = || RecordRefError(text.chars().take(80).collect());
        // A branch name may contain `/records/`, but not `://`.
        let is_address = text.starts_with('/') || text.contains("://");
        // The rest of the address after the number selects what the page shows, not the record.
        let number = match text.split_once("/records/") {
            Some((_, rest)) if is_address => rest.split(['/', '?', '#']).next().unwrap_or_default(),
            _ => text,
        };
        if let Ok(id) = number.parse() {
            return Ok(Self::Id(id));
        }
        // Names of orgs and repositories contain no `@`; a branch name may.
        let (repository, branch) = text.split_once('@').ok_or_else(wrong)?;
        match (repository.parse(), branch.parse()) {
            (Ok(repository), Ok(branch)) => Ok(Self::CurrentOf(repository, branch)),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for RecordRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(f, "{id}"),
            Self::CurrentOf(repository, branch) => write!(f, "{repository}@{branch}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_named_by_number_by_address_or_by_its_branch() {
        let named = |text: &str| text.parse::<RecordRef>().expect("a record");
        for text in [
            "42",
            " 42 ",
            "/records/42",
            "https://coverage.example/records/42?view=flat#files",
        ] {
            assert_eq!(named(text), RecordRef::Id(42), "{text}");
        }
        for text in [
            "acme/platform/shop@fix/a@b ü",
            "acme/shop@main",
            "acme/shop@fix/records/42",
        ] {
            let named = named(text);
            assert!(matches!(named, RecordRef::CurrentOf(..)), "{text}");
            assert_eq!(named.to_string(), text);
        }
    }

    #[test]
    fn an_invalid_record_name_is_refused_with_the_valid_forms() {
        for text in [
            "",
            "main",
            "acme/shop",
            "acme@main",
            "acme/shop@",
            "/records/",
            "99999999999999999999",
        ] {
            let error = text.parse::<RecordRef>().expect_err("an error");
            let message = error.to_string();
            assert!(message.contains("org/repo@branch"), "{message}");
        }
    }
}
