//! The tests of a record, for their page.

use crate::{CommitHash, PartName, PullRequest, Repository};

/// What a test ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRow {
    /// Its name, as the coverage file has it.
    pub name: String,
    /// The lines that it ran.
    pub lines: u64,
    /// The lines that no other test ran.
    pub only: u64,
}

/// Some of the tests of a record: first the tests that alone ran most lines, then those that ran most lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestList {
    /// The tests.
    pub tests: Vec<TestRow>,
    /// The number of all tests.
    pub of: u64,
    /// The parts whose coverage files do not name their tests.
    pub parts_without: Vec<PartName>,
}

impl TestList {
    /// The most tests on the page.
    pub const MAX_SHOWN: u64 = 500;
}

/// The tests of a record, with the names that their page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordTestsDetail {
    /// The record.
    pub record_id: i64,
    /// Its repository.
    pub repository: Repository,
    /// Its commit.
    pub commit: CommitHash,
    /// The pull request that the record belongs to.
    pub pull_request: Option<PullRequest>,
    /// The first tests; `None` if they are not known.
    pub list: Option<TestList>,
}
