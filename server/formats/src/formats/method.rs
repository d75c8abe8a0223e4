//! A method while its statements, ranges or lines are read. Most tools of .NET call statements sequence points.

use std::hash::Hash;

use crate::count::Count;
use crate::counter::Counter;
use crate::files::{FileId, Files, key};

/// The line numbers in debug information of code without a line. Compilers generate such code, and tools omit it.
const NO_LINES: [u32; 3] = [0, 0xFE_EFEE, 0xF0_0F00];

/// A method. It counts as a function if one of its statements counts. It has the file and the line of the first such statement.
pub(super) struct Method {
    /// Distinguishes the method from other methods.
    pub(super) key: u64,
    start: Option<(FileId, Option<u32>)>,
    is_covered: bool,
}

impl Method {
    /// `name` must distinguish the method from others that start on the same line.
    pub(super) fn new(name: impl Hash) -> Self {
        Self {
            key: key(name),
            start: None,
            is_covered: false,
        }
    }

    pub(super) fn rename(&mut self, name: impl Hash) {
        self.key = key(name);
    }

    /// Adds a statement of the current file, and its first line as a line with code. Lines of an unknown file do not count,
    /// because they cannot be distinguished from lines of other files.
    #[inline]
    pub(super) fn statement(&mut self, files: &mut Files, line: Option<u32>, hits: u64) {
        if line.is_some_and(is_hidden) {
            return;
        }
        files.add(Counter::Statement, Count::one(hits > 0));
        if let Some(line) = line.filter(|_| files.is_in_file()) {
            files.line(line, hits);
        }
        self.add(files, line, hits > 0);
    }

    /// Records that a part of the method starts on a line of the current file.
    #[inline]
    pub(super) fn add(&mut self, files: &Files, line: Option<u32>, is_covered: bool) {
        if self.start.is_none() {
            self.start = Some((files.current, line));
        }
        self.is_covered |= is_covered;
    }

    pub(super) fn finish(self, files: &mut Files) {
        if let Some((file, line)) = self.start {
            files.go_to(file);
            files.function(key((self.key, line)), self.is_covered);
        }
    }
}

/// Whether the number is not a real line.
pub(super) fn is_hidden(line: u32) -> bool {
    NO_LINES.contains(&line)
}
