//! The memory limit of files: what is dropped when it is reached.

use std::collections::HashMap;

use super::{ENTRY_BYTES, Files, NO_FILE, entry::Entry, paths::Paths, test_names::TestNames};

impl Files {
    /// Reserves memory for a reader's own data. `false` if there is not enough.
    pub(crate) fn take_memory(&mut self, bytes: usize) -> bool {
        self.charge(bytes);
        !self.overflowed
    }

    pub(crate) fn give_back_memory(&mut self, bytes: usize) {
        if !self.overflowed {
            self.memory += bytes;
        }
    }

    #[inline]
    pub(super) fn charge(&mut self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        match self.memory.checked_sub(bytes) {
            Some(left) => self.memory = left,
            None if self.memory_of_tests > 0 => {
                self.drop_tests();
                self.charge(bytes);
            }
            None if self.memory_of_lines > 0 => {
                self.drop_lines();
                self.charge(bytes);
            }
            None => self.overflow(),
        }
    }

    /// Like `charge`, but for data about lines. If the memory is not enough, the lines are dropped and the files stay.
    #[inline]
    pub(super) fn charge_lines(&mut self, bytes: usize) {
        if bytes == 0 {
            return;
        }
        match self.memory.checked_sub(bytes) {
            Some(left) => {
                self.memory = left;
                self.memory_of_lines += bytes;
            }
            None if self.memory_of_tests > 0 => {
                self.drop_tests();
                self.charge_lines(bytes);
            }
            None => self.drop_lines(),
        }
    }

    #[cold]
    fn drop_lines(&mut self) {
        self.with_lines = false;
        self.dropped_lines = true;
        self.memory += std::mem::take(&mut self.memory_of_lines);
        for entry in &mut self.entries {
            entry.on_lines = None;
        }
    }

    /// Drops all files. The one remaining entry receives all later data, and is emptied whenever it grows.
    #[cold]
    fn overflow(&mut self) {
        self.overflowed = true;
        self.memory = ENTRY_BYTES;
        self.memory_of_lines = 0;
        self.memory_of_tests = 0;
        self.test_names = TestNames::default();
        self.current = NO_FILE;
        self.by_path = Paths::default();
        self.by_id = HashMap::new();
        self.entries = vec![Entry::default()];
    }
}
