//! The data of the page about one source file of a record.

use crate::{BranchName, CommitHash, Language, LineRange, MissedSince, PartName, Repository};
use std::sync::Arc;

/// A query for the page about a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceQuery {
    /// The record.
    pub id: i64,
    /// The path of the file, as the record's page shows it.
    pub path: String,
    /// The line that the HTML report is opened at; the first one if `None`.
    pub line: Option<u32>,
    /// The part whose HTML report is shown; if `None`, the part that ran most lines of the file.
    pub part: Option<PartName>,
}

/// A source file of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceDetail {
    /// The query.
    pub query: SourceQuery,
    /// The repository.
    pub repository: Repository,
    /// The forge of the repository, such as `github.com`, if an upload named it.
    pub forge: Option<String>,
    /// The branch.
    pub branch: BranchName,
    /// The commit that was measured.
    pub commit: CommitHash,
    /// The language.
    pub language: Language,
    /// Whether its HTML report is stored.
    pub has_report: bool,
    /// The part whose HTML report is shown, if the record has parts.
    pub part: Option<PartName>,
    /// All parts with an HTML report, if the record has parts.
    pub parts: Vec<PartName>,
    /// What is known about the lines.
    pub lines: SourceLines,
}

/// The text of a source file, as the job sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText(pub Arc<str>);

/// What is known about the lines of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceLines {
    /// They are stored.
    Known(KnownLines),
    /// The record has lines, but no lines of this file.
    NoSuchFile,
    /// The record has no lines: its coverage file has no lines, they have expired, or the record is older than the storage of
    /// lines.
    NotKept,
}

/// The lines of a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownLines {
    /// The first missed lines with their history, at most [`LineRanges::NAMED`] ranges. Empty if the record has no history.
    pub missed_since: Vec<MissedSince>,
    /// Lines that ran.
    pub covered: u64,
    /// All coverable lines.
    pub coverable: u64,
    /// Lines that did not run.
    pub missed: LineRanges,
    /// Lines that ran without all their branches.
    pub partial: LineRanges,
}

/// Lines in one state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineRanges {
    /// The number of lines.
    pub lines: u64,
    /// The number of ranges.
    pub count: usize,
    /// The first ranges, with both ends.
    pub first: Vec<LineRange>,
}

impl LineRanges {
    /// How many ranges are named.
    pub const NAMED: usize = 500;
}
