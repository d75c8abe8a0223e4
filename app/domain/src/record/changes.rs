//! The changed lines of a record: lines that its commit added to its base.

use crate::{CommitHash, Count, LineRange, Percentage, line_range::length, text::counted};
use serde::{Deserialize, Serialize};

/// What is known about the changed lines of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordChanges {
    /// The states of the lines.
    Known(ChangedLines),
    /// No upload sent changes, and the forge did not state them, for this reason.
    Unknown(String),
    /// No upload of the record sent changes.
    NotSent,
    /// The lines of the record are not kept.
    NoLines,
}

/// The changed lines of a record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedLines {
    /// The commit that the changes start from, if stated.
    pub base_commit: Option<CommitHash>,
    /// Changed lines that are covered. Partial lines count as covered, unless the settings have `partial = "miss"`.
    pub covered: u64,
    /// All coverable changed lines.
    pub coverable: u64,
    /// The changed files that the record has, by path. A file that was only renamed has no changed lines.
    pub files: Vec<ChangedFile>,
    /// Changed files that the record does not have, although it has other files with the same extension.
    pub unmeasured: Vec<String>,
    /// Changed files that are missing here because their changed lines are not known.
    pub unknown: Option<UnknownFiles>,
}

/// Changed files whose changed lines are not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownFiles {
    /// The number of files; there may be more.
    pub files: u64,
    /// Why, in one sentence.
    pub reason: String,
}

impl RecordChanges {
    /// Which changed lines are not known, and why, in one sentence.
    pub fn unknown(&self) -> Option<String> {
        match self {
            Self::Known(changed) => changed.unknown.as_ref().map(UnknownFiles::sentence),
            Self::Unknown(reason) => Some(format!("The changed lines are not known: {reason}")),
            Self::NotSent | Self::NoLines => None,
        }
    }
}

impl UnknownFiles {
    /// The number of files and the reason, in one sentence.
    pub fn sentence(&self) -> String {
        format!(
            "The changed lines of {} are not known: {}",
            self.count(),
            self.reason
        )
    }

    fn count(&self) -> String {
        counted(self.files, "file")
    }
}

/// The changed lines of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ChangedFile {
    /// Its path.
    pub path: String,
    /// Its path in the base; `null` if it was added.
    pub old_path: Option<String>,
    /// Changed lines that ran.
    pub covered: u64,
    /// All coverable changed lines.
    pub coverable: u64,
    /// Changed lines that did not run, as ranges with both ends.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<[u32; 2]>))]
    pub missed: Vec<LineRange>,
    /// Changed lines that ran without all their branches, as ranges with both ends.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<[u32; 2]>))]
    pub partial: Vec<LineRange>,
}

/// Unchanged lines that ran at the base of a record, and do not run in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostLines {
    /// The number of lines.
    pub lines: u64,
    /// Where they are, by path.
    pub files: Vec<(String, Vec<LineRange>)>,
    /// Files with lost lines that are no longer measured.
    #[serde(default)]
    pub unmeasured: Vec<String>,
}

impl LostLines {
    /// The lost lines of some files.
    #[must_use]
    pub fn of_files(mut self, is_in: impl Fn(&str) -> bool) -> Self {
        self.files.retain(|(path, _)| is_in(path));
        self.unmeasured.retain(|path| is_in(path));
        let ranges = self.files.iter().flat_map(|(_, ranges)| ranges);
        self.lines = ranges.copied().map(length).sum();
        self
    }
}

impl ChangedFile {
    /// The coverage of its changed lines; `None` if no changed line is coverable.
    pub fn percentage(&self) -> Option<Percentage> {
        Percentage::of(Count {
            covered: self.covered,
            total: self.coverable,
        })
    }

    /// The number of changed lines that are not covered.
    pub fn missed_lines(&self) -> u64 {
        self.coverable.saturating_sub(self.covered)
    }

    /// The changed lines that are not covered, in ascending order, including partial lines if they count as missed.
    pub fn not_covered(&self) -> Vec<LineRange> {
        let missed: u64 = self.missed.iter().copied().map(length).sum();
        let mut ranges = self.missed.clone();
        if self.missed_lines() > missed {
            ranges.extend(&self.partial);
            ranges.sort_unstable();
        }
        ranges
    }
}

impl ChangedLines {
    /// The changed lines of some files.
    #[must_use]
    pub fn of_files(mut self, is_in: impl Fn(&str) -> bool) -> Self {
        self.files.retain(|file| is_in(&file.path));
        self.unmeasured.retain(|path| is_in(path));
        self.covered = self.files.iter().map(|file| file.covered).sum();
        self.coverable = self.files.iter().map(|file| file.coverable).sum();
        self
    }

    /// Whether no file is named: neither a measured one, nor an unmeasured or unknown one.
    #[must_use]
    pub fn names_nothing(&self) -> bool {
        self.files.is_empty() && self.unmeasured.is_empty() && self.unknown.is_none()
    }

    /// The coverage of the changed lines; `None` if no changed line is coverable.
    pub fn percentage(&self) -> Option<Percentage> {
        Percentage::of(self.count())
    }

    /// The covered and the coverable changed lines.
    pub fn count(&self) -> Count {
        Count {
            covered: self.covered,
            total: self.coverable,
        }
    }

    /// The number of files that are not known, after a comma; often empty.
    pub fn unknown_in_words(&self) -> String {
        let unknown = self.unknown.as_ref().map(UnknownFiles::count);
        let unknown = unknown.map(|files| format!(", {files} not known"));
        unknown.unwrap_or_default()
    }

    /// The changed lines in one line of text.
    pub fn sentence(&self) -> String {
        let unknown = self.unknown.as_ref().map(UnknownFiles::count);
        if let (0, Some(files)) = (self.coverable, &unknown) {
            return format!("changed lines of {files} not known");
        }
        match self.coverable {
            0 => changed_lines(0, 0),
            _ => {
                let lines = changed_lines(self.covered, self.coverable);
                lines + &self.unknown_in_words()
            }
        }
    }
}

/// How many changed lines are covered, in words.
pub(crate) fn changed_lines(covered: u64, coverable: u64) -> String {
    match coverable {
        0 => "no coverable lines changed".to_owned(),
        1 => format!("{covered} of 1 changed line"),
        _ => format!("{covered} of {coverable} changed lines"),
    }
}
