//! The changed lines of a commit: the hunks of `git diff`, without their text.

mod encoding;
mod hunk;
mod name;
mod parser;

pub use parser::{ChangesError, ChangesParser};

/// The changed files between a base and a measured tree, in the order of their paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    files: Vec<ChangedFile>,
}

/// A file that was added, deleted, renamed, copied, or whose lines or mode changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// The path in the base. `None` if the file was added.
    pub old_path: Option<Box<str>>,
    /// The path in the measured tree. `None` if the file was deleted.
    pub path: Option<Box<str>>,
    /// The changed lines, in ascending order, without overlaps. Empty if only name or mode changed, or if the file is binary.
    pub hunks: Vec<Hunk>,
    /// Whether git treated the file as binary, so the changed lines are unknown. An attribute in `.gitattributes` can make any
    /// file binary.
    pub is_binary: bool,
}

/// Consecutive lines that were replaced. Lines of context are not part of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hunk {
    /// The lines in the base.
    pub old: Span,
    /// The lines in the measured tree.
    pub new: Span,
}

/// Consecutive lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first line, from 1. If the span is empty: the line before which it is.
    pub first: u32,
    /// The number of lines.
    pub lines: u32,
}

impl Changes {
    /// The files, sorted by path. A deleted file is sorted by its old path.
    pub fn files(&self) -> &[ChangedFile] {
        &self.files
    }

    /// The files, sorted in the same way.
    #[must_use]
    pub fn into_files(self) -> Vec<ChangedFile> {
        self.files
    }

    /// Creates the changes of these files, in any order.
    ///
    /// # Errors
    ///
    /// The path that two of the files have.
    pub fn of(mut files: Vec<ChangedFile>) -> Result<Self, Box<str>> {
        // A file that became a symbolic link is deleted and added.
        let order = |one: &ChangedFile, other: &ChangedFile| {
            let by_name = one.name().cmp(other.name());
            by_name.then(one.path.is_some().cmp(&other.path.is_some()))
        };
        files.sort_by(order);
        let mut pairs = files.array_windows();
        match pairs.find(|[one, other]| order(one, other).is_eq()) {
            Some([one, _]) => Err(one.name().into()),
            None => Ok(Self { files }),
        }
    }
}

impl ChangedFile {
    /// The path in the measured tree, or the old path of a deleted file.
    pub fn name(&self) -> &str {
        let name = self.path.as_deref().or(self.old_path.as_deref());
        name.unwrap_or_default()
    }

    /// Whether the line numbers of both trees are consistent: the hunks before a line move it by the lines that they add and
    /// remove. If not, the hunks do not belong to the two trees, and no line of one can be found in the other.
    pub fn is_consistent(&self) -> bool {
        let mut moved = 0_i64;
        self.hunks.iter().all(|hunk| {
            let fits = i64::from(hunk.new.first) - i64::from(hunk.old.first) == moved;
            moved += i64::from(hunk.new.lines) - i64::from(hunk.old.lines);
            fits
        })
    }
}

impl Span {
    /// The line after the span.
    pub fn end(self) -> u32 {
        self.first + self.lines
    }
}
