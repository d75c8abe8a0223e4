//! What the page of one record shows.

mod files;
mod moved;

pub use files::{
    FILES_ON_A_PAGE, FileList, FileListing, FileRow, FileSort, FileView, Files, FilesQuery, Others,
};
pub use moved::{Moved, MovedFile, MovedGroup, MovedKind};

use super::{
    BranchName, Change, CommitAuthor, CommitHash, Count, Language, Percentage, Repository,
    Timestamp,
};

/// What a visitor of a record's page asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordQuery {
    /// The record.
    pub id: i64,
    /// What it is compared with, where there is a choice.
    pub against: Against,
    /// Which of its files.
    pub files: FilesQuery,
}

/// What a record is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Against {
    /// The record before it on its branch; the main branch's where it is the first.
    #[default]
    Before,
    /// The record that the main branch had then.
    Main,
}

/// One record with all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordDetail {
    /// When it was put together; ages are relative to it.
    pub now: Timestamp,
    /// The record's identifier.
    pub id: i64,
    /// Its repository.
    pub repository: Repository,
    /// Its branch.
    pub branch: BranchName,
    /// The main branch of its repository, or what comes closest to one.
    pub main_branch: BranchName,
    /// The commit that was measured.
    pub commit: CommitHash,
    /// Who made the commit.
    pub author: CommitAuthor,
    /// The language.
    pub language: Language,
    /// Total line coverage.
    pub percentage: Percentage,
    /// Everything counted, lines first.
    pub counts: Vec<Counted>,
    /// The report's format, as a short lower-case name.
    pub report_format: String,
    /// Which tool wrote the report, in the report's words.
    pub tool: Option<String>,
    /// What does not add up in the report, a sentence each.
    pub warnings: Vec<String>,
    /// When it was first uploaded.
    pub created_at: Timestamp,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
    /// Whether its branch still stands at it.
    pub standing: Standing,
    /// Whether its HTML is there.
    pub has_report: bool,
    /// When retention removed its HTML.
    pub report_removed_at: Option<Timestamp>,
    /// Whether its HTML is kept regardless of age.
    pub is_pinned: bool,
    /// The record before it on its branch, in its language.
    pub older: Option<RecordBeside>,
    /// The record after it on its branch, in its language.
    pub newer: Option<RecordBeside>,
    /// The last record of the main branch in its language that was not uploaded later; none on the main branch itself.
    pub of_main: Option<RecordBeside>,
    /// What it is compared with, and which files moved since.
    pub comparison: Option<Comparison>,
    /// The last upload of it, as the ledger has it.
    pub upload: Option<RecordUpload>,
    /// Its files.
    pub files: Files,
}

/// A count with what was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// In lower case and singular: `line`, `branch`, `function`.
    pub counter: String,
    /// How much of it is covered.
    pub count: Count,
}

/// Where a record stands on its branch, in its language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is the current one.
    Current,
    /// This record is.
    Superseded(i64),
    /// None is: the branch is not active any more.
    Retired,
    /// It never was: nobody confirmed that the branch contains its commit. The current one, where there is one.
    Unconfirmed(Option<i64>),
}

/// Another record, as far as a link to it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordBeside {
    /// Its identifier.
    pub id: i64,
    /// Its commit.
    pub commit: CommitHash,
    /// Its coverage.
    pub percentage: Percentage,
    /// When it was last uploaded.
    pub updated_at: Timestamp,
}

/// A record that another one is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Which of the two it is.
    pub against: Against,
    /// The record.
    pub base: RecordBeside,
    /// The change since.
    pub change: Change,
    /// What moved it, file by file; none where the files of one of the two are not known, or where they count different
    /// things.
    pub moved: Option<Moved>,
}

/// A row of the ledger that a record came by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordUpload {
    /// When its request came.
    pub received_at: Timestamp,
    /// How long it took until it was answered.
    pub milliseconds: u64,
    /// Bytes of the request's body.
    pub bytes: u64,
    /// Files in the archive.
    pub files: Option<u64>,
    /// Whose token it was.
    pub token_name: Option<String>,
    /// The request's id, which the log lines carry too.
    pub request_id: String,
    /// Whether it made the record; else it replaced what an earlier upload of the same commit had brought.
    pub is_first: bool,
}

/// The name of several of what a counter counts, as a heading: `Lines`.
pub fn heading(counter: &str) -> String {
    let mut name = plural(counter);
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}

/// The name of several of what a counter counts.
pub fn plural(counter: &str) -> String {
    match counter.ends_with(['h', 's']) {
        true => format!("{counter}es"),
        false => format!("{counter}s"),
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
