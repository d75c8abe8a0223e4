//! Collects the listed and stated counts of a report's files while it is read, within a memory limit.

mod blocks;
mod distinct;
mod entry;
mod ids;
mod memory;
mod on_lines;
mod paths;
mod table;
mod test_names;
mod test_runs;

use std::collections::HashMap;

use crate::count::Count;
use crate::counter::{Counter, Counters};
use crate::limits::Limits;
use crate::report::{BranchName, FileCoverage};
pub(crate) use blocks::Span;
pub(crate) use distinct::key;
use entry::{Entry, Listed};
use on_lines::OnLines;
use paths::Paths;
use test_names::TestNames;

/// The files so far.
///
/// A reader enters a file and then adds its data. A file that is entered again continues. When the memory limit is reached, the
/// tests are dropped, then the data about lines, then all files, and later files are ignored.
#[derive(Debug)]
pub(crate) struct Files {
    entries: Vec<Entry>,
    by_path: Paths,
    by_id: HashMap<u64, FileId>,
    /// The current file.
    pub(crate) current: FileId,
    /// A bit for each counter that any file has, including dropped files.
    known: u16,
    /// Bytes of memory left.
    memory: usize,
    /// The bytes that become free when the lines are dropped.
    memory_of_lines: usize,
    /// The bytes that become free when the tests are dropped.
    memory_of_tests: usize,
    test_names: TestNames,
    /// Whether the memory limit was reached.
    pub(crate) overflowed: bool,
    with_lines: bool,
    /// Whether lines were requested, but dropped because of the memory limit.
    pub(crate) dropped_lines: bool,
    /// Whether the report has more tests than are kept.
    pub(crate) dropped_tests: bool,
}

/// A file of one [`Files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId(usize);

/// The unknown file, which is current before any file is entered.
const NO_FILE: FileId = FileId(0);

/// The bytes of an entry and of its file in the report, without the path.
const ENTRY_BYTES: usize = 384;

/// The bytes of a file's lines without their content, and of their allocation.
const ON_LINES_BYTES: usize = size_of::<OnLines>() + 16;

/// A line with more branches counts as one without any: a `switch` of a few thousand cases has fewer.
const BRANCHES_OF_A_LINE: u64 = 8192;

impl Files {
    /// Creates an empty collection. `with_lines` keeps the hits of every line, which otherwise use no memory.
    pub(crate) fn new(limits: &Limits, with_lines: bool) -> Self {
        Self {
            entries: vec![Entry::default()],
            by_path: Paths::default(),
            by_id: HashMap::new(),
            current: NO_FILE,
            known: 0,
            memory: limits.memory_bytes,
            memory_of_lines: 0,
            memory_of_tests: 0,
            test_names: TestNames::default(),
            overflowed: false,
            with_lines,
            dropped_lines: false,
            dropped_tests: false,
        }
    }

    /// Enters the file at `path`. An empty path enters the unknown file.
    pub(crate) fn enter(&mut self, path: &str) -> FileId {
        if path.is_empty() {
            self.current = NO_FILE;
            return NO_FILE;
        }
        if self.current_entry().path == path && !self.overflowed {
            return self.current;
        }
        let hash = self.by_path.hash(path);
        let known = self
            .by_path
            .find(hash, |file| self.entries[file.0].path == path);
        self.current = known.unwrap_or_else(|| {
            let file = self.add_entry(path);
            if !self.overflowed {
                self.by_path.insert(hash, file);
            }
            file
        });
        self.current
    }

    /// Whether the file at this path is already the current one. Reports that name a file at every line mostly repeat it, and
    /// this check is cheaper than entering the file.
    #[inline]
    pub(crate) fn is_at(&self, path: &[u8]) -> bool {
        let current = &self.entries[self.current.0];
        self.is_in_file() && current.path.as_bytes() == path
    }

    pub(crate) fn go_to(&mut self, file: FileId) {
        if !self.overflowed {
            self.current = file;
        }
    }

    /// Enters a file whose path is read later; see [`Files::name`].
    pub(crate) fn enter_unnamed(&mut self) -> FileId {
        self.current = self.add_entry("");
        self.current
    }

    /// Sets the path of an unnamed file. If a file with this path exists, both are merged. If the file already has a path, it
    /// keeps its path and content; then this is [`Files::enter`].
    pub(crate) fn name(&mut self, file: FileId, path: &str) -> FileId {
        if self.overflowed {
            return self.current;
        }
        if file == NO_FILE || !self.entries[file.0].path.is_empty() {
            return self.enter(path);
        }
        let entry = std::mem::take(&mut self.entries[file.0]);
        self.enter(path);
        self.current_entry().merge(entry);
        self.current
    }

    /// Whether the current file has a path, or may get one.
    pub(crate) fn is_in_file(&self) -> bool {
        self.current != NO_FILE
    }

    /// Adds a line with its hits to the current file. Tools write line 0 for code without a line.
    #[inline]
    pub(crate) fn line(&mut self, number: u32, hits: u64) {
        if number == 0 {
            return;
        }
        self.list(Counter::Line, |listed| {
            listed.lines.add(u64::from(number), hits > 0)
        });
        self.hits(number, hits);
    }

    /// Adds the branches of a line to the current file. If a line is repeated, the greater numbers count.
    pub(crate) fn branches(&mut self, line: u32, count: Count) {
        if line == 0 || !(1..=BRANCHES_OF_A_LINE).contains(&count.total()) {
            return;
        }
        let first = u64::from(line) * BRANCHES_OF_A_LINE;
        self.list(Counter::Branch, |listed| {
            listed
                .branches
                .add_run(first, count.total(), count.covered())
        });
        self.branches_on(line, count);
    }

    /// Adds a branch to the current file. Repetitions must have the same [`key`].
    pub(crate) fn branch(&mut self, key: u64, covered: bool) {
        self.list(Counter::Branch, |listed| listed.branches.add(key, covered));
    }

    /// Adds a function to the current file. Repetitions must have the same [`key`].
    pub(crate) fn function(&mut self, key: u64, covered: bool) {
        self.list(Counter::Function, |listed| {
            listed.functions.add(key, covered)
        });
    }

    /// Adds a block of statements with its hits to the current file. Its lines are all lines in its span.
    pub(crate) fn block(&mut self, span: Span, statements: u32, hits: u64) {
        self.note(Counter::Line);
        let (with_lines, mut bytes_of_lines) = (self.with_lines(), 0);
        self.list(Counter::Statement, |listed| {
            let (bytes, of_lines) = listed.blocks.add(span, statements, hits, with_lines);
            bytes_of_lines = of_lines;
            bytes
        });
        self.charge_lines(bytes_of_lines);
    }

    /// Whether the hits of lines are requested and still kept.
    pub(crate) fn with_lines(&self) -> bool {
        self.with_lines && !self.overflowed
    }

    /// Adds the hits of a line that a stated count of the current file already includes. Only with [`Files::with_lines`].
    #[inline]
    pub(crate) fn hits(&mut self, line: u32, hits: u64) {
        if line == 0 {
            return;
        }
        self.add_on_lines(|on_lines| on_lines.hits.add(line, hits));
    }

    /// Adds the numbers of branches of a line whose branches are counted elsewhere. Only with [`Files::with_lines`]. If a line is
    /// repeated, the greater numbers count.
    pub(crate) fn branches_on(&mut self, line: u32, count: Count) {
        if (1..=BRANCHES_OF_A_LINE).contains(&count.total()) {
            self.add_on_lines(|on_lines| on_lines.add_branches(line, count));
        }
    }

    /// Notes that a line of the current file ran only in part, without numbers. Only with [`Files::with_lines`].
    pub(crate) fn partly(&mut self, line: u32) {
        self.hits(line, 1);
        self.add_on_lines(|on_lines| on_lines.add_branches(line, Count::ZERO));
    }

    /// Adds a branch of a line that is counted elsewhere. Only with [`Files::with_lines`]. A report with the numbers of a line's
    /// branches needs to name only the missed ones.
    pub(crate) fn branch_on(&mut self, line: u32, name: BranchName, is_taken: bool) {
        self.add_on_lines(|on_lines| on_lines.add_branch(line, name, is_taken));
    }

    #[inline]
    fn add_on_lines(&mut self, add: impl FnOnce(&mut OnLines) -> usize) {
        if self.with_lines() {
            let on_lines = &mut self.current_entry().on_lines;
            let first = if on_lines.is_none() {
                ON_LINES_BYTES
            } else {
                0
            };
            let bytes = first + add(on_lines.get_or_insert_default());
            self.charge_lines(bytes);
        }
    }

    /// Adds a stated count of the current file, or of a part of it. Counts of one counter are summed.
    pub(crate) fn add(&mut self, counter: Counter, count: impl Into<Option<Count>>) {
        let Some(count) = count.into() else { return };
        self.note(counter);
        let stated = &mut self.current_entry().stated;
        let before = stated.bytes();
        stated.add(counter, count);
        let bytes = stated.bytes() - before;
        self.charge(bytes);
    }

    pub(crate) fn add_all(&mut self, counters: &Counters) {
        for (counter, count) in counters.iter() {
            self.add(counter, count);
        }
    }

    /// Whether the current file has a stated count of a counter.
    pub(crate) fn states(&self, counter: Counter) -> bool {
        self.entries[self.current.0].stated.get(counter).is_some()
    }

    /// Whether any file has a counter. Unlike [`Files::sum`], this is cheap.
    pub(crate) fn know(&self, counter: Counter) -> bool {
        self.known & bit(counter) != 0
    }

    /// Returns the sums of all files. `None` if there were too many files.
    pub(crate) fn sum(&mut self) -> Option<Counters> {
        if self.overflowed {
            return None;
        }
        let mut sum = Counters::default();
        for entry in &mut self.entries {
            sum.add_all(&entry.counters());
        }
        Some(sum)
    }

    /// All files. Empty if there were too many.
    pub(crate) fn into_vec(mut self) -> Vec<FileCoverage> {
        if self.overflowed {
            return Vec::new();
        }
        self.by_path = Paths::default();
        let with_lines = self.with_lines;
        let files = self.entries.into_iter();
        let files = files.map(|entry| entry.into_coverage(with_lines));
        files
            .filter(|file| !file.path.is_empty() || file.counters.iter().next().is_some())
            .collect()
    }

    /// Adds to the listed things of the current file. `add` returns the additional bytes of memory.
    #[inline]
    fn list(&mut self, counter: Counter, add: impl FnOnce(&mut Listed) -> usize) {
        self.note(counter);
        let bytes = add(self.current_entry().listed());
        self.charge(bytes);
    }

    #[inline]
    fn note(&mut self, counter: Counter) {
        self.known |= bit(counter);
    }

    fn current_entry(&mut self) -> &mut Entry {
        &mut self.entries[self.current.0]
    }

    fn add_entry(&mut self, path: &str) -> FileId {
        self.charge(ENTRY_BYTES + path.len() * 2);
        if self.overflowed {
            return NO_FILE;
        }
        self.entries.push(Entry {
            path: path.to_owned(),
            ..Entry::default()
        });
        FileId(self.entries.len() - 1)
    }
}

fn bit(counter: Counter) -> u16 {
    1 << counter as u16
}

#[cfg(test)]
mod tests;
