//! The lines of all source files of a part, or of the union of parts.

use crate::{counts::Counts, encoding::TooLarge, file::FileLines, limits::Limits};
use std::collections::BTreeMap;

/// The lines of source files, by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    files: BTreeMap<Box<str>, FileLines>,
}

impl Lines {
    /// Adds a file. If there is one with this path, it becomes the union of both.
    pub fn add(&mut self, path: impl Into<Box<str>>, lines: FileLines) {
        self.files.entry(path.into()).or_default().unite(lines);
    }

    /// The union with another part; see [`FileLines::unite`]. It does not depend on the order of the parts.
    ///
    /// # Errors
    ///
    /// If it exceeds the limit of lines, or has more names of branches than its encoding may have bytes.
    pub fn united(mut self, other: Self, limits: &Limits) -> Result<Self, TooLarge> {
        for (path, lines) in other.files {
            self.add(path, lines);
        }
        let names: usize = self.files.values().map(FileLines::names).sum();
        if self.len() > limits.lines || names > limits.unpacked_bytes {
            return Err(TooLarge);
        }
        Ok(self)
    }

    /// The lines of a file.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&FileLines> {
        self.files.get(path)
    }

    /// The files in the order of the bytes of their paths.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&str, &FileLines)> {
        self.files.iter().map(|(path, lines)| (&**path, lines))
    }

    /// The files in the same order, one after another.
    pub fn into_files(self) -> impl Iterator<Item = (Box<str>, FileLines)> {
        self.files.into_iter()
    }

    /// How many lines are in each state.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let counts = self.files.values().map(FileLines::counts);
        counts.fold(Counts::default(), |sum, counts| sum + counts)
    }

    /// The number of coverable lines.
    pub(crate) fn len(&self) -> usize {
        self.files.values().map(|file| file.lines().len()).sum()
    }
}
