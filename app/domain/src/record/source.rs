//! The data of the page about one source file of a record.

use super::FileRow;
use crate::{
    BranchName, CommitHash, Count, Language, LineRange, MissedSince, PartName, PullRequest,
    Repository,
};
use std::sync::Arc;

/// A query for the page about a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceQuery {
    /// The record.
    pub id: i64,
    /// The path of the file, as the record's page shows it.
    pub path: String,
    /// The lines that the address names.
    pub lines: Option<LineRange>,
    /// The part whose lines and HTML report are shown; if `None`, the union, and the HTML report of the part that ran most
    /// lines of the file.
    pub part: Option<PartName>,
}

/// The text of a source file, as the job sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText(pub Arc<str>);

/// Lines of a source file that a page shows with the lines around them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedLines {
    /// The record.
    pub record_id: i64,
    /// The path of the file, as the record's page shows it.
    pub path: String,
    /// The lines, in ascending order.
    pub lines: Vec<LineRange>,
    /// Of them, unchanged lines that ran at the base and do not run now.
    pub lost: Vec<LineRange>,
    /// Of them, unchanged lines that did not run at the base and run now.
    pub gained: Vec<LineRange>,
    /// Whether the changed lines of the record are marked.
    pub marks_changes: bool,
    /// Whether the lines flicker, which is marked.
    pub flicker: bool,
}

/// The code of wanted lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The lines.
    pub wanted: WantedLines,
    /// The text of the whole file, as the job sent it.
    pub text: SourceText,
    /// The coverable lines of the whole file.
    pub known: KnownLines,
    /// The changed lines, if they are marked and known.
    pub changed: Vec<LineRange>,
}

impl Excerpt {
    /// The most files of a page.
    pub const MOST_FILES: usize = 10;
}

/// A source file of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceDetail {
    /// The query, without a part that the record does not have.
    pub query: SourceQuery,
    /// The repository.
    pub repository: Repository,
    /// The forge of the repository, such as `github.com`, if an upload named it.
    pub forge: Option<String>,
    /// The branch.
    pub branch: BranchName,
    /// The commit that was measured.
    pub commit: CommitHash,
    /// The pull request that the record belongs to.
    pub pull_request: Option<PullRequest>,
    /// The language.
    pub language: Language,
    /// The lines of all parts; `None` if they are not known.
    pub count: Option<Count>,
    /// The measured and carried parts, by name. Empty if the record has only the unnamed part.
    pub parts: Vec<SourcePart>,
    /// Where the HTML report is; `None` if none is stored.
    pub report: Option<SourceReport>,
    /// What is known about the lines that are shown.
    pub lines: SourceLines,
    /// The text, if a job sent it.
    pub text: Option<SourceText>,
    /// The changed lines, if they are known.
    pub changed: Vec<LineRange>,
    /// Unchanged lines that ran at the base and do not run now.
    pub lost: Vec<LineRange>,
    /// The tests, if the coverage files name them. Only the lines of all parts have tests.
    pub tests: Option<SourceTests>,
    /// The files beside this one.
    pub files: SourceFiles,
}

/// The tests that ran the lines of a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceTests {
    /// The lines that tests ran, in ascending order, each with the number of its tests.
    pub lines: Vec<(u32, u64)>,
    /// The number of all tests of the record.
    pub of: u64,
    /// The tests of the line that the address names.
    pub named: Vec<String>,
    /// Whether they ran the line at the base only.
    pub are_former: bool,
}

/// A part of a record, and what it ran of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourcePart {
    /// Its name.
    pub name: PartName,
    /// Whether its HTML report is stored.
    pub has_report: bool,
    /// Its lines of the file; `None` if they are not known.
    pub count: Option<Count>,
}

/// The HTML report that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceReport {
    /// Of a record without parts.
    OfRecord,
    /// Of a part.
    OfPart(PartName),
}

impl SourceReport {
    /// The part that it is of.
    pub fn part(&self) -> Option<&PartName> {
        match self {
            Self::OfRecord => None,
            Self::OfPart(part) => Some(part),
        }
    }
}

/// The files of a record, for going from one to the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFiles {
    /// All files, by path. If there are more than [`Self::MOST`], only the files of the same folder, and at most so many.
    pub rows: Vec<FileRow>,
    /// The number of files of the record.
    pub count: u32,
}

impl SourceFiles {
    /// The most files.
    pub const MOST: usize = 500;
}

/// What is known about the lines of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceLines {
    /// They are stored.
    Known(KnownLines),
    /// The record, or the part, has lines, but no lines of this file.
    NoSuchFile,
    /// The record, or the part, has no lines: its coverage file has no lines, they have expired, or the record is older than the
    /// storage of lines.
    NotKept,
}

/// The lines of a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownLines {
    /// All coverable lines, in ascending order.
    pub lines: Vec<SourceLine>,
    /// Whether several parts ran the lines: then a number of runs is the greatest of them, not their sum.
    pub are_united: bool,
    /// Missed lines with their history, at most [`Self::WITH_HISTORY`] ranges. Empty if the record has no history.
    pub missed_since: Vec<MissedSince>,
}

impl KnownLines {
    /// How many ranges have a history.
    pub const WITH_HISTORY: usize = 2_000;

    /// The lines that ran, of all coverable lines.
    pub fn count(&self) -> Count {
        let ran = self.lines.iter();
        let ran = ran.filter(|line| line.state != LineState::Missed);
        Count {
            covered: ran.count() as u64,
            total: self.lines.len() as u64,
        }
    }
}

/// A coverable line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// Its number, from 1.
    pub number: u32,
    /// What tests did with it.
    pub state: LineState,
    /// How often it ran; 255 also means more.
    pub runs: u8,
    /// The branches of a partial line, if the coverage file counts them.
    pub branches: Option<LineBranches>,
}

/// What tests did with a coverable line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineState {
    /// It did not run.
    Missed,
    /// It ran without all its branches.
    Partial,
    /// It ran with all its branches.
    Hit,
}

/// The branches of a partial line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineBranches {
    /// The number of taken branches.
    pub taken: u32,
    /// The number of branches.
    pub total: u32,
    /// The missed branches that the coverage file names in a way that people understand, such as `to line 46`.
    pub missed: Vec<String>,
}
