//! The parameters of the listing.

use crate::routes::{
    openapi::names::{Named, number},
    parameters::{Flag, parameters},
};
use std::str::FromStr;
use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

parameters! {
    pub(super) struct ListingParameters {
        /// A page past the end is empty.
        p: Option<Page>,
        /// Records on a page.
        per_page: Option<PerPage>,
        /// Off: only the current record of each branch and language is listed. On: every record.
        full: Flag,
        /// Only this org, ignoring case.
        org_name: Option<String> => "acme",
        /// Only this repository, ignoring case.
        repo_name: Option<String> => "payments",
        /// Only this branch, exactly.
        branch_name: Option<String> => "main",
        /// Only this language, exactly.
        language: Option<String> => "python",
        /// Only commits of this author, exactly.
        commit_author: Option<String> => "Kim",
        /// Only repositories with this text in their `org_name/repo_name`, ignoring case.
        keyword: Option<String> => "pay",
    }
}

pub(in crate::routes) struct Page(pub(in crate::routes) u64);

impl Page {
    const FIRST: u64 = 1;
}

impl Default for Page {
    fn default() -> Self {
        Self(Self::FIRST)
    }
}

impl FromStr for Page {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            // A number that does not fit is a page past the end.
            Ok(Self(text.parse().unwrap_or(u64::MAX)))
        } else {
            Err("p greater than 0")
        }
    }
}

impl Named for Page {
    fn schema() -> RefOr<Schema> {
        // No format: a number that fits into none is a page past the end.
        number("The page, counted from 1; 0 is the first too.")
            .minimum(Some(0))
            .default(Some(Self::FIRST.into()))
            .into()
    }
}

pub(in crate::routes) struct PerPage(pub(in crate::routes) u32);

impl PerPage {
    const DEFAULT: u32 = 100;
    const MAX: u32 = 1_000;
}

impl Default for PerPage {
    fn default() -> Self {
        Self(Self::DEFAULT)
    }
}

impl FromStr for PerPage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(number @ 1..=Self::MAX) => Ok(Self(number)),
            _ => Err(format!("must be from 1 to {}", Self::MAX)),
        }
    }
}

impl Named for PerPage {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int32)))
            .minimum(Some(1))
            .maximum(Some(Self::MAX))
            .default(Some(Self::DEFAULT.into()))
            .into()
    }
}
