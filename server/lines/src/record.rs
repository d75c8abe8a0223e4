//! The lines of all source files of a part, or of the union of parts.

use crate::{
    counts::Counts,
    file::FileLines,
    limits::{Limits, TooLarge},
};
use std::collections::BTreeMap;

/// The lines of source files, by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    files: BTreeMap<Box<str>, FileLines>,
}

impl Lines {
    /// Adds a file. If the path exists, the file becomes the union of both.
    pub fn add(&mut self, path: impl Into<Box<str>>, lines: FileLines) {
        self.files.entry(path.into()).or_default().unite(lines);
    }

    /// The union with another part; see [`FileLines::unite`]. It does not depend on the order of the parts.
    ///
    /// # Errors
    ///
    /// If the union exceeds the limits.
    pub fn united(mut self, other: Self, limits: &Limits) -> Result<Self, TooLarge> {
        for (path, lines) in other.files {
            self.add(path, lines);
        }
        self.within(limits)?;
        Ok(self)
    }

    /// The same lines under other paths. Files that get the same path are united.
    ///
    /// # Errors
    ///
    /// If the new paths exceed the limits.
    pub fn renamed(
        self,
        limits: &Limits,
        mut rename: impl FnMut(Box<str>) -> Box<str>,
    ) -> Result<Self, TooLarge> {
        let (mut renamed, mut room) = (Self::default(), limits.path_bytes);
        for (path, lines) in self.files {
            let path = rename(path);
            room = room.checked_sub(path.len()).ok_or(TooLarge)?;
            renamed.add(path, lines);
        }
        Ok(renamed)
    }

    /// The lines of a file.
    pub fn get(&self, path: &str) -> Option<&FileLines> {
        self.files.get(path)
    }

    /// The files, sorted by the bytes of their paths.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&str, &FileLines)> {
        self.files.iter().map(|(path, lines)| (&**path, lines))
    }

    /// The files in the same order.
    pub fn into_files(self) -> impl Iterator<Item = (Box<str>, FileLines)> {
        self.files.into_iter()
    }

    pub(crate) fn remove(&mut self, path: &str) -> Option<FileLines> {
        self.files.remove(path)
    }

    /// The number of lines in each state.
    pub fn counts(&self) -> Counts {
        self.files.values().map(FileLines::counts).sum()
    }

    /// Subtracts these lines from `limits`, for other lines in memory at the same time. `None` if nothing remains.
    pub fn rest_of(&self, limits: Limits) -> Option<Limits> {
        Some(Limits {
            lines: limits.lines.checked_sub(self.len())?,
            files: limits.files.checked_sub(self.files().len())?,
            path_bytes: limits.path_bytes.checked_sub(self.path_bytes())?,
            ..limits
        })
    }

    /// Checks the limits of memory.
    pub(crate) fn within(&self, limits: &Limits) -> Result<(), TooLarge> {
        let names = self.files.values().map(FileLines::names);
        let is_within = self.files.len() <= limits.files
            && self.path_bytes() <= limits.path_bytes
            && self.len() <= limits.lines
            && names.sum::<usize>() <= limits.branch_names;
        is_within.then_some(()).ok_or(TooLarge)
    }

    fn path_bytes(&self) -> usize {
        self.files.keys().map(|path| path.len()).sum()
    }

    /// The number of coverable lines.
    pub(crate) fn len(&self) -> usize {
        self.files.values().map(|file| file.lines().len()).sum()
    }
}
