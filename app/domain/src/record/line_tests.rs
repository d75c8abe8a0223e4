//! The tests of a record, for their page.

use crate::{CommitHash, LineRange, PartName, PullRequest, Repository};

/// A query for the page about the tests of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestsQuery {
    /// The record.
    pub id: i64,
    /// A part of the names of the listed tests, in any case. Empty: all tests.
    pub find: String,
    /// The test whose lines are shown instead of a list.
    pub test: Option<String>,
}

/// How many lines a test ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRow {
    /// Its name, as the coverage file has it.
    pub name: String,
    /// The lines that it ran.
    pub lines: u64,
    /// The lines that no other test ran.
    pub only: u64,
}

/// Some of the tests of a record, each with a few of its files: first the tests that alone ran most lines, then those that ran most lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestList {
    /// The tests. `of` is 0 if its files are not listed.
    pub tests: Vec<TestLines>,
    /// The number of all tests.
    pub of: u64,
    /// The number of tests that the query finds.
    pub found: u64,
    /// The parts whose coverage files do not name their tests.
    pub parts_without: Vec<PartName>,
}

impl TestList {
    /// The most tests on the page.
    pub const MAX_SHOWN: u64 = 500;

    /// The most files of each.
    pub const MAX_FILES: usize = 2;
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
    /// What is shown of its tests; `None` if they are not known.
    pub shown: Option<ShownTests>,
}

/// What the page about tests shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShownTests {
    /// The first tests.
    List(TestList),
    /// What one test ran; `None` if no line ran in such a test.
    One(Option<TestLines>),
}

/// The lines of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestLines {
    /// How many there are.
    pub row: TestRow,
    /// The files with them: first those with most lines that only this test ran, then those with most lines.
    pub files: Vec<TestFile>,
    /// The number of all files.
    pub of: u64,
}

impl TestLines {
    /// The most files on the page.
    pub const MAX_SHOWN: usize = 200;
}

/// The lines of a file that a test ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestFile {
    /// The path of the file.
    pub path: String,
    /// How many of its lines the test ran.
    pub lines: u64,
    /// How many of them no other test ran.
    pub only: u64,
    /// The lines.
    pub ranges: Vec<LineRange>,
    /// The lines that no other test ran.
    pub only_ranges: Vec<LineRange>,
}
