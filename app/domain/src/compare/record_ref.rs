//! How an address names a record.

use crate::{BranchName, Repository};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// A record, by its identifier or as the current one of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordRef {
    /// `42`. The address of the record's page is read as the same.
    Id(i64),
    /// `acme/shop@main`: what that branch stands at when the page is asked for.
    CurrentOf(Repository, BranchName),
}

/// A text names no record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("“{0}” names no record: give a record's number or address, or org/repo@branch")]
pub struct RecordRefError(String);

impl FromStr for RecordRef {
    type Err = RecordRefError;

    fn from_str(text: &str) -> Result<Self, RecordRefError> {
        let text = text.trim();
        let wrong = || RecordRefError(text.chars().take(80).collect());
        // A branch may have the same in its name, but no colon before two slashes.
        let is_address = text.starts_with('/') || text.contains("://");
        // What stands behind the number in an address is what its page shows, not which record it is.
        let number = match text.split_once("/records/") {
            Some((_, rest)) if is_address => rest.split(['/', '?', '#']).next().unwrap_or_default(),
            _ => text,
        };
        if let Ok(id) = number.parse() {
            return Ok(Self::Id(id));
        }
        // No organisation or repository has an `@` in its name; a branch may.
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
            let told = error.to_string();
            assert!(told.contains("org/repo@branch"), "{told}");
        }
    }
}
