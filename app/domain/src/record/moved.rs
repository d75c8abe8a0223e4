//! What moved a percentage from one record to another, file by file, so that it adds up.
//!
//! With C covered of T lines before and C', T' after, the change C'/T' − C/T is the sum over all files of
//! (Δc·T − C·Δt) / (T·T'), where Δc and Δt are what a file has more of covered and of all lines. So each file has its own
//! exact share, and a file that was added pulls the percentage towards its own.

use crate::{Change, Count};

/// The change of a percentage, split by files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// What is counted in the place of lines, in lower case and singular.
    pub counter: String,
    /// Files that are new.
    pub added: MovedGroup,
    /// Files that are gone.
    pub removed: MovedGroup,
    /// Files that have other counts than before.
    pub changed: MovedGroup,
    /// What is missing to the change after the three: rounding, and what reports count beside their files.
    pub beside_groups: Change,
    /// How many more lines are uncovered than before.
    pub uncovered: i64,
    /// The files that moved it most, in either direction.
    pub files: Vec<MovedFile>,
    /// How many more files moved.
    pub other_files: u32,
    /// What is missing to the change after `files`.
    pub beside_files: Change,
}

/// What some files together moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedGroup {
    /// How many they are.
    pub files: u32,
    /// Their share of the change.
    pub change: Change,
}

/// What one file moved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedFile {
    /// Its path.
    pub path: String,
    /// What became of it.
    pub kind: MovedKind,
    /// Its lines before; 0 of 0 for one that was added.
    pub before: Count,
    /// Its lines after; 0 of 0 for one that was removed.
    pub after: Count,
    /// Its share of the change.
    pub change: Change,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MovedKind {
    /// It was not there before.
    Added,
    /// It is not there any more.
    Removed,
    /// Its counts are others.
    Changed,
}

impl MovedFile {
    /// How many more of its lines are uncovered than before.
    pub fn uncovered(&self) -> i64 {
        self.after.uncovered() as i64 - self.before.uncovered() as i64
    }
}

impl MovedKind {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
        }
    }
}
