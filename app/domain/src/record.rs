//! The data of a record's page.

mod base;
mod changes;
mod compared;
mod explanation;
mod files;
mod ignored;
mod line_tests;
mod listed;
mod missed_since;
mod moved;
mod parts;
mod paths;
mod source;
mod view;

pub use base::{BaseRecord, FoundBy};
pub(crate) use changes::changed_lines;
pub use changes::{ChangedFile, ChangedLines, LostLines, RecordChanges, UnknownFiles};
pub use compared::{ComparedRecord, CountedTwice};
pub use explanation::{ChangeCause, ChangeGroup, Explained, Explanation};
pub use files::{
    FILES_ON_A_PAGE, FileList, FileListing, FileRow, FileSort, FileView, Files, FilesQuery, Others,
};
pub use ignored::{Ignored, IgnoredFiles, ignoring};
pub use line_tests::{
    RecordTestsDetail, ShownTests, TestFile, TestLines, TestList, TestRow, TestsQuery,
};
pub use listed::{ListedRecord, NotAPosition, RecordPosition};
pub use missed_since::{ChainRecord, MissedSince, NotRunSince};
pub use moved::{Moved, MovedFile, MovedGroup, MovedKind};
pub use parts::{CarriedPart, PartContent, PartList, RecordPart, RecordParts};
pub use paths::{MatchedPaths, UnmatchedPath};
pub use source::{
    Excerpt, KnownLines, LineBranches, LineState, SourceDetail, SourceFiles, SourceLine,
    SourceLines, SourcePart, SourceQuery, SourceReport, SourceTests, SourceText, WantedLines,
};
pub use view::{RecordView, no_view};

use super::{
    BranchName, Change, CommitHash, Count, Gate, Metric, NewTotals, Percentage, PullRequest,
    RunUrl, Timestamp, Values, ViewName,
    choice::choices,
    query::{Parameter, with_default},
};

/// A query for a record's page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordQuery {
    /// The record.
    pub id: i64,
    /// What it is compared with, if there is a choice.
    pub against: Against,
    /// Only the files of this view; all if `None`.
    pub view: Option<ViewName>,
    /// Which of its files to show.
    pub files: FilesQuery,
}

choices! {
    /// What a record is compared with.
    #[derive(Default)]
    Against:
    /// Its base record.
    #[default]
    Base = "base",
    /// The previous record on its branch.
    Before = "before",
}

with_default!(Against);

impl RecordQuery {
    /// The parameters for its address.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let mut all = Vec::new();
        self.against.write("against", &mut all);
        self.view.write("view", &mut all);
        all.extend(self.files.parameters());
        all
    }

    /// Reads the choices for a record from the parameters of an address.
    pub fn of(id: i64, values: Values<'_>) -> Self {
        let mut files = FilesQuery::of(values);
        // Before views, the parameter of a view had the form of the list.
        if let Some(form) = Parameter::read("view", values) {
            files.view = form;
        }
        Self {
            id,
            against: Parameter::read("against", values),
            view: Parameter::read("view", values),
            files,
        }
    }
}

/// One record with everything that is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordDetail {
    /// When the page was built; ages are relative to it.
    pub now: Timestamp,
    /// The record. Its counts are of the view, if one is shown.
    pub record: ComparedRecord,
    /// The view that is shown. Then changed lines, the comparison and the files are of it. `None` if none was requested, or if
    /// the record has no such view.
    pub view: Option<RecordView>,
    /// Owners and views of the settings to choose from.
    pub views: Vec<ViewName>,
    /// Its new lines; `None` without a history of lines.
    pub new_code: Option<NewTotals>,
    /// What the record does not count, and why.
    pub uncounted: Vec<(Metric, &'static str)>,
    /// The main branch of its repository, or the closest match.
    pub main_branch: BranchName,
    /// The tool that wrote the coverage file, as the file names it.
    pub tool: Option<String>,
    /// Inconsistencies in the coverage file, one sentence each.
    pub warnings: Vec<String>,
    /// How many paths are files of the repository, if the upload listed them.
    pub paths: Option<MatchedPaths>,
    /// The files that the settings ignore; `None` without such rules.
    pub ignored: Option<Ignored>,
    /// When it was first uploaded.
    pub created_at: Timestamp,
    /// Its state on its branch.
    pub standing: Standing,
    /// Its parts.
    pub parts: RecordParts,
    /// Whether it is known which tests ran its lines.
    pub has_tests: bool,
    /// The pull request of its commit, if an upload named it.
    pub pull_request: Option<PullRequest>,
    /// The result of the gate; `None` if no rule is set.
    pub gate: Option<Gate>,
    /// Its changed lines.
    pub changes: RecordChanges,
    /// Whether the lost lines are known.
    pub knows_lost_lines: bool,
    /// The percentage of the sum of its lines, if the tool states another total that differs by more than 0.01.
    pub sum_of_lines: Option<Percentage>,
    /// When retention removed its HTML report.
    pub report_removed_at: Option<Timestamp>,
    /// Whether its HTML report is kept regardless of age.
    pub is_pinned: bool,
    /// The previous record on its branch, in its language.
    pub older: Option<RecordBeside>,
    /// The next record on its branch, in its language.
    pub newer: Option<RecordBeside>,
    /// Its base record.
    pub base: Option<BaseRecord>,
    /// What it is compared with, and which files changed since.
    pub comparison: Option<Comparison>,
    /// Its last upload, from the ledger.
    pub upload: Option<RecordUpload>,
    /// Its files.
    pub files: Files,
}

/// A count with what was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// In lower case and singular: `line`, `branch`, `function`.
    pub counter: String,
    /// Covered and total.
    pub count: Count,
}

/// The state of a record on its branch, in its language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is the current record.
    Current,
    /// The record with this id is current.
    Superseded(i64),
    /// The branch is no longer active and has no current record.
    Retired,
    /// It waits for parts, which [`RecordDetail::parts`] names. Holds the current record, if there is one.
    Incomplete(Option<i64>),
    /// It is unconfirmed: nothing proved that the branch contains its commit. Holds the current record, if there is one.
    Unconfirmed(Option<i64>),
}

/// Another record, with the data that a link shows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct RecordBeside {
    /// Its identifier.
    pub id: i64,
    /// Its commit.
    #[cfg_attr(feature = "sql", sqlx(rename = "commit_hash"))]
    pub commit: CommitHash,
    /// Its coverage.
    #[cfg_attr(feature = "sql", sqlx(rename = "percentage_basis_points"))]
    pub percentage: Percentage,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
}

/// The base record of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Whether it is the base record or the previous record.
    pub against: Against,
    /// The record.
    pub base: RecordBeside,
    /// The change since.
    pub change: Change,
    /// Why the percentage changed; `None` if the lines of one record are not known.
    pub explained: Option<Explained>,
    /// Per-file changes; `None` if the files of one record are not known, or if the two count different things.
    pub moved: Option<Moved>,
}

/// The ledger row of a record's upload.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "sql", derive(sqlx::FromRow))]
pub struct RecordUpload {
    /// When the request arrived.
    pub received_at: Timestamp,
    /// Time until the answer, in milliseconds.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Unsigned"))]
    pub milliseconds: u64,
    /// Bytes of the request's body.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Unsigned"))]
    pub bytes: u64,
    /// Files in the archive.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::IfReadable<u64>"))]
    pub files: Option<u64>,
    /// The name of the token.
    pub token_name: Option<String>,
    /// The request id, as in the log lines.
    pub request_id: String,
    /// The page of the CI run that uploaded.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::IfReadable<RunUrl>"))]
    pub run_url: Option<RunUrl>,
    /// Whether it created the record; otherwise it replaced an earlier upload of the same commit.
    #[cfg_attr(feature = "sql", sqlx(try_from = "crate::sql::Flag"))]
    pub is_first: bool,
}

/// The plural of a counter's name, as a heading: `Lines`.
pub fn heading(counter: &str) -> String {
    let mut name = plural(counter);
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}

/// The plural of a counter's name.
pub fn plural(counter: &str) -> String {
    if counter.ends_with(['h', 's']) {
        format!("{counter}es")
    } else {
        format!("{counter}s")
    }
}

#[cfg(test)]
mod tests {
    use super::{heading, plural};

    #[test]
    fn counters_have_their_english_plural() {
        assert_eq!(
            ["line", "branch", "function", "class", "probe"].map(plural),
            ["lines", "branches", "functions", "classes", "probes"]
        );
        assert_eq!(heading("branch"), "Branches");
    }
}
