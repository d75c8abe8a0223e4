//! Splits the change between two records by file; the parts add up to the change.
//!
//! With C covered of T lines before and C', T' after, the change C'/T' − C/T is the sum over all files of
//! (Δc·T − C·Δt) / (T·T'), where Δc and Δt are the changes of a file's covered and total lines. So each file has its own
//! exact share, and an added file pulls the percentage towards its own.

use crate::{Change, Count, choice::choices};

/// The change of a percentage, split by files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// What is counted, in lower case and singular; usually `line`.
    pub counter: String,
    /// New files.
    pub added: MovedGroup,
    /// Removed files.
    pub removed: MovedGroup,
    /// Files whose counts changed.
    pub changed: MovedGroup,
    /// The rest of the change after these three: rounding, and counts outside the files.
    pub outside_groups: Change,
    /// The change in uncovered lines.
    pub uncovered: i64,
    /// The files with the largest effect, in either direction.
    pub files: Vec<MovedFile>,
    /// The number of other changed files.
    pub other_files: u32,
    /// The rest of the change after `files`.
    pub outside_files: Change,
}

/// The effect of a group of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MovedGroup {
    /// The number of files.
    pub files: u32,
    /// Their share of the change.
    pub change: Change,
}

/// The effect of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedFile {
    /// Its path.
    pub path: String,
    /// Whether it was added, removed or changed.
    pub kind: MovedKind,
    /// Its lines before; 0 of 0 for an added file.
    pub before: Count,
    /// Its lines after; 0 of 0 for a removed file.
    pub after: Count,
    /// Its share of the change.
    pub change: Change,
}

choices! {
    /// How a file changed.
    MovedKind:
    /// It is new.
    Added = "added",
    /// It is gone.
    Removed = "removed",
    /// Its counts changed.
    Changed = "changed",
}

impl MovedFile {
    /// The change in its uncovered lines.
    pub fn uncovered(&self) -> i64 {
        self.after.uncovered() as i64 - self.before.uncovered() as i64
    }
}
