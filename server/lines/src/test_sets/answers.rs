//! Which tests ran a line, and what each test ran.

use super::TestSets;

/// What a test ran.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TestRun {
    /// The lines that the test ran.
    pub lines: u64,
    /// The lines that no other test ran.
    pub only: u64,
}

impl TestSets {
    /// Whether no test is known.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The paths of the files that tests ran.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(AsRef::as_ref)
    }

    /// The names of all tests, in ascending order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(AsRef::as_ref)
    }

    /// The tests that ran a line, in ascending order of their names.
    pub fn of_line(&self, path: &str, line: u32) -> Vec<&str> {
        let lines = self.files.get(path).map_or(&[][..], Vec::as_slice);
        let found = lines.binary_search_by_key(&line, |&(of, _)| of).ok();
        let set = found.map_or(&[][..], |at| &self.sets[lines[at].1 as usize]);
        set.iter()
            .map(|&test| &*self.names[test as usize])
            .collect()
    }

    /// The lines of a file that tests ran, in ascending order, each with the number of its tests.
    pub fn of_file(&self, path: &str) -> impl Iterator<Item = (u32, usize)> {
        let lines = self.files.get(path).into_iter().flatten();
        lines.map(|&(line, set)| (line, self.sets[set as usize].len()))
    }

    /// The lines that a test ran, by file and in ascending order, each with whether no other test ran it. Empty if there is no such
    /// test.
    pub fn of_test(&self, name: &str) -> Vec<(&str, Vec<(u32, bool)>)> {
        let place = self
            .names
            .binary_search_by(|known| known.as_ref().cmp(name));
        let Some(test) = place.ok().and_then(|place| u32::try_from(place).ok()) else {
            return Vec::new();
        };
        let ran: Vec<bool> = self
            .sets
            .iter()
            .map(|set| set.binary_search(&test).is_ok())
            .collect();
        let files = self.files.iter().map(|(path, lines)| {
            let own = lines.iter().filter(|(_, set)| ran[*set as usize]);
            let own = own.map(|&(line, set)| (line, self.sets[set as usize].len() == 1));
            (path.as_ref(), own.collect::<Vec<_>>())
        });
        files.filter(|(_, lines)| !lines.is_empty()).collect()
    }

    /// What each test ran, in the order of [`Self::names`].
    pub fn runs(&self) -> Vec<TestRun> {
        let mut lines_of = vec![0; self.sets.len()];
        for (_, set) in self.files.values().flatten() {
            lines_of[*set as usize] += 1;
        }
        let mut runs = vec![TestRun::default(); self.names.len()];
        for (set, lines) in self.sets.iter().zip(lines_of) {
            for &test in set {
                runs[test as usize].lines += lines;
            }
            if let [test] = **set {
                runs[test as usize].only += lines;
            }
        }
        runs
    }
}
