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

/// A file, and lines of it, each with whether only one test ran it.
pub type FileRun<'a> = (&'a str, Vec<(u32, bool)>);

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

    /// What each of some different tests ran: its lines by file and in ascending order, each with whether no other test ran it. Empty
    /// for a test that is not known.
    pub fn of_tests(&self, tests: &[&str]) -> Vec<Vec<FileRun<'_>>> {
        let mut places = vec![None; self.names.len()];
        for (place, name) in tests.iter().enumerate() {
            if let Ok(test) = self.names.binary_search_by(|known| (**known).cmp(name)) {
                places[test] = Some(place);
            }
        }
        let places_of = |set: &[u32]| -> Vec<usize> {
            let places = set.iter().filter_map(|&test| places[test as usize]);
            places.collect()
        };
        let of_sets: Vec<_> = self.sets.iter().map(|set| places_of(set)).collect();
        let mut ran: Vec<Vec<FileRun<'_>>> = vec![Vec::new(); tests.len()];
        for (path, lines) in &self.files {
            for &(line, set) in lines {
                let is_only = self.sets[set as usize].len() == 1;
                for &place in &of_sets[set as usize] {
                    match ran[place]
                        .last_mut()
                        .filter(|(last, _)| std::ptr::eq(*last, &**path))
                    {
                        Some((_, of_file)) => of_file.push((line, is_only)),
                        None => ran[place].push((path, vec![(line, is_only)])),
                    }
                }
            }
        }
        ran
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
