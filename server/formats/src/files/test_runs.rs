//! Which tests ran which lines. It is kept only if lines are requested, and is the first to be dropped.

use super::{Files, test_names::TestNames};
use crate::report::TestedLine;

impl Files {
    /// Whether the tests of lines are requested and still kept.
    pub(crate) fn with_tests(&self) -> bool {
        self.with_lines() && !self.dropped_tests
    }

    /// The number of the test with this name. `None` without a name, or if tests are not kept.
    pub(crate) fn test(&mut self, name: &str) -> Option<u32> {
        if name.is_empty() || !self.with_tests() {
            return None;
        }
        let (test, bytes) = self.test_names.number(name);
        self.counted_test(test, bytes)
    }

    /// The number of the test with this id, whose name may be read later.
    pub(crate) fn test_of_id(&mut self, id: u64) -> Option<u32> {
        if !self.with_tests() {
            return None;
        }
        let (test, bytes) = self.test_names.number_of_id(id);
        self.counted_test(test, bytes)
    }

    /// Sets the name of the test with this id. A test without a name is dropped at the end.
    pub(crate) fn name_test(&mut self, id: u64, name: &str) {
        if self.with_tests() {
            let bytes = self.test_names.name(id, name);
            self.charge_tests(bytes);
        }
    }

    /// Starts another list of tests, in which the same ids mean other tests.
    pub(crate) fn forget_test_ids(&mut self) {
        self.test_names.forget_ids();
    }

    /// Forgets the only test: its name is the name of the whole run.
    pub(crate) fn forget_only_test(&mut self) {
        if self.test_names.len() == 1 {
            self.free_tests();
        }
    }

    /// Adds that a test ran a line of the current file.
    #[inline]
    pub(crate) fn tested(&mut self, line: u32, test: u32) {
        if line == 0 || !self.with_tests() || !self.is_in_file() {
            return;
        }
        self.add_on_lines(|_| 0);
        let Some(on_lines) = &mut self.current_entry().on_lines else {
            return;
        };
        let tests = &mut on_lines.tests;
        let before = tests.capacity();
        tests.push(TestedLine { line, test });
        let bytes = (tests.capacity() - before) * size_of::<TestedLine>();
        self.charge_tests(bytes);
    }

    /// Ends the tests of the current file: gives back spare memory, or all of it if they are not kept.
    pub(crate) fn finish_tests(&mut self, are_kept: bool) {
        let Some(on_lines) = &mut self.current_entry().on_lines else {
            return;
        };
        let tests = &mut on_lines.tests;
        let before = tests.capacity();
        if !are_kept {
            tests.clear();
        }
        tests.shrink_to_fit();
        let bytes = (before - tests.capacity()) * size_of::<TestedLine>();
        self.memory += bytes;
        self.memory_of_tests -= bytes;
    }

    /// Takes the names of the tests, which are numbered by their places.
    pub(crate) fn take_test_names(&mut self) -> Vec<String> {
        std::mem::take(&mut self.test_names).into_vec()
    }

    fn counted_test(&mut self, test: u32, bytes: usize) -> Option<u32> {
        self.charge_tests(bytes);
        if self.test_names.are_too_many() {
            self.drop_tests();
        }
        self.with_tests().then_some(test)
    }

    /// Reserves memory for tests. If it is not enough, the tests are dropped, and everything else stays.
    #[inline]
    fn charge_tests(&mut self, bytes: usize) {
        match self.memory.checked_sub(bytes) {
            Some(left) => {
                self.memory = left;
                self.memory_of_tests += bytes;
            }
            None => self.drop_tests(),
        }
    }

    /// Drops the tests, with a warning.
    #[cold]
    pub(super) fn drop_tests(&mut self) {
        self.dropped_tests = true;
        self.free_tests();
    }

    fn free_tests(&mut self) {
        self.memory += std::mem::take(&mut self.memory_of_tests);
        self.test_names = TestNames::default();
        for entry in &mut self.entries {
            if let Some(on_lines) = &mut entry.on_lines {
                on_lines.tests = Vec::new();
            }
        }
    }
}
