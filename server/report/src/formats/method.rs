//! A method of .NET while what is in it is read: statements, which most tools call sequence points, or ranges.

use std::hash::Hash;

use crate::count::Count;
use crate::counter::Counter;
use crate::files::{FileId, Files, key};

/// What debug information has for a line where code has none. Compilers make such code, and tools leave it out.
const NO_LINES: [u32; 3] = [0, 0xFE_EFEE, 0xF0_0F00];

/// A method that counts as a function once something in it does: of the file and at the line where that is.
pub(super) struct Method {
    key: u64,
    start: Option<(FileId, Option<u32>)>,
    is_covered: bool,
}

impl Method {
    /// `name` is all that tells the method from others that start on the same line.
    pub(super) fn new(name: impl Hash) -> Self {
        Self {
            key: key(name),
            start: None,
            is_covered: false,
        }
    }

    /// Names it later than at its start.
    pub(super) fn rename(&mut self, name: impl Hash) {
        self.key = key(name);
    }

    /// What tells it from other methods.
    pub(super) fn key(&self) -> u64 {
        self.key
    }

    /// Adds a statement of the current file, and the line that it starts on as one with code.
    /// Of a file that is not known, lines cannot be told from those of others, and do not count.
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

    /// Notes something in the method that starts on a line of the current file.
    #[inline]
    pub(super) fn add(&mut self, files: &Files, line: Option<u32>, is_covered: bool) {
        if self.start.is_none() {
            self.start = Some((files.current(), line));
        }
        self.is_covered |= is_covered;
    }

    /// The method has been read to its end.
    pub(super) fn finish(self, files: &mut Files) {
        if let Some((file, line)) = self.start {
            files.go_to(file);
            files.function(key((self.key, line)), self.is_covered);
        }
    }
}

/// Whether a line is none.
pub(super) fn is_hidden(line: u32) -> bool {
    NO_LINES.contains(&line)
}
