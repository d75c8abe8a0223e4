//! The files of a report while it is read: what is listed in them and what is stated of them, within a memory limit.

mod blocks;
mod distinct;
mod entry;
mod ids;
mod table;

use std::collections::HashMap;
use std::sync::Arc;

use crate::count::Count;
use crate::counter::{Counter, Counters};
use crate::limits::Limits;
use crate::report::FileCoverage;
pub(crate) use blocks::Span;
pub(crate) use distinct::key;
use entry::Entry;

/// What is known of the files so far.
///
/// A reader enters a file and then adds what it reads; a file entered again goes on where it was.
/// When the memory is used up, everything is dropped and nothing is added any more.
#[derive(Debug)]
pub(crate) struct Files {
    entries: Vec<Entry>,
    by_path: HashMap<Arc<str>, FileId>,
    by_id: HashMap<u64, FileId>,
    /// The file that things are added to.
    current: FileId,
    /// A bit for each counter of which a file, also one that was dropped, knows anything.
    known: u16,
    /// Bytes that may still be kept.
    memory: usize,
    overflowed: bool,
    with_lines: bool,
}

/// A file of one [`Files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileId(usize);

/// What is added before any file is entered, or with none, is of this one.
const NO_FILE: FileId = FileId(0);

/// What an entry costs, without its path, and what it becomes in the report.
const ENTRY_BYTES: usize = 384;

/// More branches of one line are none: a `switch` of a few thousand cases has fewer.
const BRANCHES_OF_A_LINE: u64 = 8192;

impl Files {
    /// `with_lines` keeps the hits of every line, which otherwise cost nothing.
    pub(crate) fn new(limits: &Limits, with_lines: bool) -> Self {
        Self {
            entries: vec![Entry::default()],
            by_path: HashMap::new(),
            by_id: HashMap::new(),
            current: NO_FILE,
            known: 0,
            memory: limits.memory_bytes,
            overflowed: false,
            with_lines,
        }
    }

    /// What is added from here on is of the file at `path`; without one, of no file that is known.
    pub(crate) fn enter(&mut self, path: &str) -> FileId {
        if path.is_empty() {
            self.current = NO_FILE;
            return NO_FILE;
        }
        if *self.current_entry().path == *path && !self.overflowed {
            return self.current;
        }
        self.current = match self.by_path.get(path) {
            Some(&known) => known,
            None => {
                let id = self.add_entry(Arc::from(path), path.len() * 2);
                if !self.overflowed {
                    let path = Arc::clone(&self.entries[id.0].path);
                    self.by_path.insert(path, id);
                }
                id
            }
        };
        self.current
    }

    /// Whether things are added to the file at this path already. Reports that name the file of every line
    /// mostly name the same again, which is cheaper to see than to enter it.
    #[inline]
    pub(crate) fn is_at(&self, path: &[u8]) -> bool {
        let current = &self.entries[self.current.0];
        self.is_in_file() && current.path.as_bytes() == path
    }

    /// What is added from here on is of a file that is known already.
    pub(crate) fn go_to(&mut self, file: FileId) {
        if !self.overflowed {
            self.current = file;
        }
    }

    /// Enters a file whose path the report tells later, see [`Files::name`].
    pub(crate) fn enter_unnamed(&mut self) -> FileId {
        self.current = self.add_entry(Arc::default(), 0);
        self.current
    }

    /// Gives an unnamed file its path. If there is a file of this path, the two become one.
    /// What has a path keeps it, with all that was added so far; then this is [`Files::enter`].
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

    /// The file that things are added to.
    pub(crate) fn current(&self) -> FileId {
        self.current
    }

    /// Whether things are added to a file, of which the path is known or may come to be.
    pub(crate) fn is_in_file(&self) -> bool {
        self.current != NO_FILE
    }

    /// A line of the current file, which a test reached so many times.
    pub(crate) fn line(&mut self, number: u32, hits: u64) {
        self.note(Counter::Line);
        let with_lines = self.with_lines;
        let entry = self.current_entry();
        let mut bytes = entry.lines.add(u64::from(number), hits > 0);
        if with_lines {
            bytes += entry.hits.add(u64::from(number), hits);
        }
        self.charge(bytes);
    }

    /// The branches that go out from a line of the current file. Of a line that comes twice, the greater numbers count.
    pub(crate) fn branches(&mut self, line: u32, count: Count) {
        if !(1..=BRANCHES_OF_A_LINE).contains(&count.total()) {
            return;
        }
        self.note(Counter::Branch);
        let first = u64::from(line) * BRANCHES_OF_A_LINE;
        let branches = &mut self.current_entry().branches;
        let bytes = branches.add_run(first, count.total(), count.covered());
        self.charge(bytes);
    }

    /// A branch of the current file, by a [`key`] that a repetition of it has too.
    pub(crate) fn branch(&mut self, key: u64, covered: bool) {
        self.note(Counter::Branch);
        let bytes = self.current_entry().branches.add(key, covered);
        self.charge(bytes);
    }

    /// A function of the current file, by a [`key`] that a repetition of it has too.
    pub(crate) fn function(&mut self, key: u64, covered: bool) {
        self.note(Counter::Function);
        let bytes = self.current_entry().functions.add(key, covered);
        self.charge(bytes);
    }

    /// A block of statements of the current file, which a test reached so many times. Its lines are those it spans.
    pub(crate) fn block(&mut self, span: Span, statements: u32, hits: u64) {
        self.note(Counter::Line);
        self.note(Counter::Statement);
        let with_lines = self.with_lines;
        let blocks = &mut self.current_entry().blocks;
        let bytes = blocks.add(span, statements, hits, with_lines);
        self.charge(bytes);
    }

    /// Whether the hits of lines are asked for.
    pub(crate) fn with_lines(&self) -> bool {
        self.with_lines && !self.overflowed
    }

    /// The hits of a line that is counted by what is stated of the current file; for who asks, see [`Files::with_lines`].
    pub(crate) fn hits(&mut self, line: u32, hits: u64) {
        if self.with_lines() {
            let bytes = self.current_entry().hits.add(u64::from(line), hits);
            self.charge(bytes);
        }
    }

    /// Takes memory for what a reader keeps aside; `false` if there is not enough.
    pub(crate) fn take_memory(&mut self, bytes: usize) -> bool {
        self.charge(bytes);
        !self.overflowed
    }

    /// Gives back memory that was taken.
    pub(crate) fn give_back_memory(&mut self, bytes: usize) {
        if !self.overflowed {
            self.memory += bytes;
        }
    }

    /// What is stated of the current file, or of a part of it: counts of one counter add up.
    pub(crate) fn add(&mut self, counter: Counter, count: impl Into<Option<Count>>) {
        let Some(count) = count.into() else { return };
        self.note(counter);
        let stated = &mut self.current_entry().stated;
        let before = stated.bytes();
        stated.add(counter, count);
        let bytes = stated.bytes() - before;
        self.charge(bytes);
    }

    /// All that is stated of the current file, or of a part of it.
    pub(crate) fn add_all(&mut self, counters: &Counters) {
        for (counter, count) in counters.iter() {
            self.add(counter, count);
        }
    }

    /// Whether anything is stated of a counter of the current file.
    pub(crate) fn states(&self, counter: Counter) -> bool {
        let entry = &self.entries[self.current.0];
        entry.stated.get(counter).is_some()
    }

    /// Whether any file knows anything of a counter. Unlike [`Files::sum`] it costs nothing to ask.
    pub(crate) fn know(&self, counter: Counter) -> bool {
        self.known & bit(counter) != 0
    }

    /// What all files add up to; `None` for what none of them knows, or if they were too many.
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

    /// Whether the memory did not suffice.
    pub(crate) fn overflowed(&self) -> bool {
        self.overflowed
    }

    pub(crate) fn into_vec(mut self) -> Vec<FileCoverage> {
        self.by_path = HashMap::new();
        let with_lines = self.with_lines;
        let files = self.entries.into_iter();
        let files = files.map(|entry| entry.into_coverage(with_lines));
        files
            .filter(|file| !file.path.is_empty() || file.counters.iter().next().is_some())
            .collect()
    }

    #[inline]
    fn note(&mut self, counter: Counter) {
        self.known |= bit(counter);
    }

    fn current_entry(&mut self) -> &mut Entry {
        &mut self.entries[self.current.0]
    }

    fn add_entry(&mut self, path: Arc<str>, bytes: usize) -> FileId {
        self.charge(ENTRY_BYTES + bytes);
        if self.overflowed {
            return NO_FILE;
        }
        self.entries.push(Entry {
            path,
            ..Entry::default()
        });
        FileId(self.entries.len() - 1)
    }

    #[inline]
    fn charge(&mut self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        match self.memory.checked_sub(bytes) {
            Some(left) => self.memory = left,
            None => self.overflow(),
        }
    }

    /// From here on the one entry left takes what is added, and is emptied whenever it has grown.
    #[cold]
    fn overflow(&mut self) {
        self.overflowed = true;
        self.memory = ENTRY_BYTES;
        self.current = NO_FILE;
        self.by_path = HashMap::new();
        self.by_id = HashMap::new();
        self.entries = vec![Entry::default()];
    }
}

fn bit(counter: Counter) -> u16 {
    1 << counter as u16
}

#[cfg(test)]
mod tests;
