//! Distinct lines, counted.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::count::Count;

/// A file, by a hash of the names that identify it: file names are not kept.
///
/// Among a million files the chance that any two share a hash is below one in ten million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct FileKey(u64);

impl FileKey {
    /// The key of a report that has no files.
    pub(crate) const NONE: Self = Self(0);

    /// The key of something named `name` inside what `self` stands for.
    pub(crate) fn within(self, name: &[u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        (self.0, name).hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// The lines of a report, each counted once however often the report repeats it; reached if any copy is.
///
/// Lines are kept as bits, 64 line numbers to a block, so that memory grows by blocks touched
/// and a line number of four billion costs no more than a small one.
#[derive(Debug)]
pub(crate) struct Lines {
    blocks: HashMap<(FileKey, u32), Block>,
    limit: usize,
    overflowed: bool,
    file: FileKey,
    /// The block that lines are added to, not in `blocks` yet: lines mostly come in order.
    at: u32,
    block: Block,
}

#[derive(Debug, Default, Clone, Copy)]
struct Block {
    present: u64,
    reached: u64,
}

impl Lines {
    /// Keeps at most `limit` blocks.
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            blocks: HashMap::new(),
            limit,
            overflowed: false,
            file: FileKey::NONE,
            at: 0,
            block: Block::default(),
        }
    }

    /// Lines added from here on are of this file.
    pub(crate) fn file(&mut self, file: FileKey) {
        self.flush();
        self.file = file;
    }

    /// Adds a line of the current file.
    pub(crate) fn add(&mut self, number: u32, reached: bool) {
        let at = number / 64;
        if at != self.at {
            self.flush();
            self.at = at;
        }
        let bit = 1 << (number % 64);
        self.block.present |= bit;
        self.block.reached |= if reached { bit } else { 0 };
    }

    /// `None` if there were too many to remember.
    pub(crate) fn count(mut self) -> Option<Count> {
        self.flush();
        let ones = |bits: u64| u64::from(bits.count_ones());
        let count = self.blocks.values().fold(Count::ZERO, |count, block| {
            let (reached, present) = (ones(block.reached), ones(block.present));
            count.plus(Count::of_missed(reached, present - reached))
        });
        (!self.overflowed).then_some(count)
    }

    fn flush(&mut self) {
        let block = std::mem::take(&mut self.block);
        if block.present == 0 || self.overflowed {
            return;
        }
        let full = self.blocks.len() >= self.limit;
        let key = (self.file, self.at);
        if full && !self.blocks.contains_key(&key) {
            self.overflowed = true;
            return;
        }
        let kept = self.blocks.entry(key).or_default();
        kept.present |= block.present;
        kept.reached |= block.reached;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(covered: u64, total: u64) -> Option<Count> {
        Count::new(covered, total)
    }

    #[test]
    fn a_line_named_twice_counts_once_and_is_reached_if_any_copy_is() {
        let mut lines = Lines::new(8);
        for (number, reached) in [(1, false), (1, true), (2, false), (1, false)] {
            lines.add(number, reached);
        }
        assert_eq!(lines.count(), count(1, 2));
    }

    #[test]
    fn a_file_that_comes_back_later_is_the_same_file() {
        let (a, b) = (FileKey::NONE.within(b"a"), FileKey::NONE.within(b"b"));
        let mut lines = Lines::new(8);
        for (file, reached) in [(a, false), (b, false), (a, true)] {
            lines.file(file);
            lines.add(7, reached);
        }
        assert_eq!(lines.count(), count(1, 2));
    }

    #[test]
    fn line_numbers_in_any_order_and_of_any_size_are_counted() {
        let mut lines = Lines::new(8);
        for number in [u32::MAX, 0, 64, 63, u32::MAX, 65] {
            lines.add(number, true);
        }
        assert_eq!(lines.count(), count(5, 5));
    }

    #[test]
    fn more_blocks_than_allowed_give_no_count() {
        let mut lines = Lines::new(2);
        for number in [0, 64, 1] {
            lines.add(number, true);
        }
        assert!(!lines.overflowed);
        lines.add(128, true);
        assert_eq!(lines.count(), None);
    }
}
