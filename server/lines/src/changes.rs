//! Which lines of which files a commit changed: the hunks of `git diff`, without their text.

mod body;
mod encoding;
mod hunk;
mod name;
mod parser;
mod patch;

pub use parser::{ChangesError, ChangesParser};

/// The changed files between a base and a measured tree, in the order of their paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    files: Vec<ChangedFile>,
}

/// A file that was added, deleted, renamed, copied, or whose lines or mode changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its path in the base; none if it was added.
    pub old_path: Option<Box<str>>,
    /// Its path in the measured tree; none if it was deleted.
    pub path: Option<Box<str>>,
    /// Its changed lines, in ascending order, without overlaps. None if only its name or mode changed, or if it is binary.
    pub hunks: Vec<Hunk>,
    /// Whether git took it for a binary file, so that it is not known which lines changed. An attribute in `.gitattributes` does
    /// that to any file.
    pub is_binary: bool,
}

/// Consecutive lines that were replaced by others. Lines of context are not part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hunk {
    /// The lines that the base had.
    pub old: Span,
    /// The lines that the measured tree has.
    pub new: Span,
}

/// Consecutive lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The first one, from 1. If there are no lines: the line before which there are none.
    pub first: u32,
    /// How many lines.
    pub lines: u32,
}

impl Changes {
    /// The files, sorted by path; a deleted file by the path that it had.
    #[must_use]
    pub fn files(&self) -> &[ChangedFile] {
        &self.files
    }

    /// The files.
    #[must_use]
    pub fn into_files(self) -> Vec<ChangedFile> {
        self.files
    }

    /// The changes of these files, in any order.
    ///
    /// # Errors
    ///
    /// With a path that two of them have.
    pub fn of(mut files: Vec<ChangedFile>) -> Result<Self, Box<str>> {
        // A file that became a symbolic link is deleted and added.
        files.sort_by(|one, other| {
            let key = |file: &ChangedFile| file.path.is_some();
            (one.name(), key(one)).cmp(&(other.name(), key(other)))
        });
        let twice = files.windows(2).find(|pair| {
            pair[0].name() == pair[1].name() && pair[0].path.is_some() == pair[1].path.is_some()
        });
        match twice {
            Some(pair) => Err(pair[0].name().into()),
            None => Ok(Self { files }),
        }
    }
}

impl ChangedFile {
    /// Its path in the measured tree, or the path that it had.
    #[must_use]
    pub fn name(&self) -> &str {
        let name = self.path.as_deref().or(self.old_path.as_deref());
        name.unwrap_or_default()
    }

    /// Whether the numbers of lines in both trees fit each other: lines between two hunks move by what the hunks before them
    /// added and removed. Otherwise the hunks are not those of the two trees, and no line of one can be found in the other.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        let mut moved = 0_i64;
        self.hunks.iter().all(|hunk| {
            let fits = i64::from(hunk.new.first) - i64::from(hunk.old.first) == moved;
            moved += i64::from(hunk.new.lines) - i64::from(hunk.old.lines);
            fits
        })
    }

    /// The line of the base that an unchanged line of the measured tree was; none if the line is new.
    #[must_use]
    pub fn old_line(&self, line: u32) -> Option<u32> {
        let before = self.hunks.partition_point(|hunk| hunk.new.first <= line);
        let Some(last) = before.checked_sub(1).map(|index| self.hunks[index]) else {
            return Some(line);
        };
        if line < last.new.end() {
            return None;
        }
        Some((line - last.new.end()).saturating_add(last.old.end()))
    }
}

impl Span {
    /// The line after the last one.
    #[must_use]
    pub fn end(self) -> u32 {
        self.first + self.lines
    }
}
