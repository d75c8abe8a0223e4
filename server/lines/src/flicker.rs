//! Lines whose state changes although their file does not: they are known to flicker.

use crate::{
    changes::Changes, difference::have_same_lines, file::FileLines, line::State, record::Lines,
};
use std::collections::{BTreeMap, HashSet};

/// Lines that are known to flicker, by file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flicker {
    files: BTreeMap<Box<str>, FlickeringFile>,
}

/// The lines of a file that are known to flicker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlickeringFile {
    /// Their numbers, in ascending order.
    pub lines: Vec<u32>,
    /// What all coverable lines of the file add up to; see [`fingerprint`].
    pub fingerprint: u32,
}

/// A number that says which lines of a file are coverable. It is another one if the file changed, unless by chance.
#[must_use]
pub fn fingerprint(file: &FileLines) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for line in file.lines() {
        hasher.update(&line.number().to_le_bytes());
    }
    hasher.finalize()
}

impl Flicker {
    /// How many records of the main branch are searched, the newest ones.
    pub const RECORDS: usize = 20;

    /// How often a line changes its state that flickers.
    pub const CHANGES: usize = 3;

    /// The lines of a file, in ascending order. None if the file is another version than the one in which they were found.
    #[must_use]
    pub fn lines(&self, path: &str, file: &FileLines) -> &[u32] {
        match self.files.get(path) {
            Some(found) if found.fingerprint == fingerprint(file) => &found.lines,
            _ => &[],
        }
    }

    /// All files with such lines, in the order of their paths.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&str, &FlickeringFile)> {
        self.files.iter().map(|(path, file)| (&**path, file))
    }
}

impl FromIterator<(Box<str>, FlickeringFile)> for Flicker {
    fn from_iter<I: IntoIterator<Item = (Box<str>, FlickeringFile)>>(files: I) -> Self {
        Self {
            files: files.into_iter().collect(),
        }
    }
}

/// Searches the records of a branch from the newest one back for lines that changed their state three times or more. A line that was
/// lost once, and even one that was gained again, is not among them. The history of a file ends where it was changed. A record in
/// which more than a hundredth of the lines changed is a broken run, and says nothing.
#[derive(Debug)]
pub struct FlickerSearch {
    newest: Lines,
    /// The files that have not changed since the record that was searched last.
    files: BTreeMap<Box<str>, Vec<LineHistory>>,
    found: Flicker,
}

/// A line in the records that were searched.
#[derive(Debug, Clone, Copy)]
struct LineHistory {
    number: u32,
    is_covered: bool,
    /// How often it changed its state.
    changes: usize,
}

impl FlickerSearch {
    /// Begins with the newest record.
    #[must_use]
    pub fn from(newest: Lines) -> Self {
        let histories = newest.files().map(|(path, file)| {
            let lines = file.lines().iter().map(|line| LineHistory {
                number: line.number(),
                is_covered: line.state() > State::Missed,
                changes: 0,
            });
            (path.into(), lines.collect())
        });
        Self {
            files: histories.collect(),
            newest,
            found: Flicker::default(),
        }
    }

    /// Whether the histories of all files have ended, so that older records say nothing.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.files.is_empty()
    }

    /// Goes back to the record before. `changes` are those of the record that came after it, if they are known; otherwise a file
    /// counts as unchanged as long as the same lines are coverable.
    pub fn before(&mut self, older: &Lines, changes: Option<&Changes>) {
        let changed = changes.map_or(&[][..], |changes| changes.files());
        let mut ended: HashSet<Box<str>> = changed
            .iter()
            .filter_map(|file| file.path.clone())
            .collect();
        let is_broken = self.is_broken(older, &ended);
        for (path, histories) in &mut self.files {
            if is_broken {
                break;
            }
            let both = older.get(path).zip(self.newest.get(path));
            let unchanged = both.filter(|(older, newest)| have_same_lines(older, newest));
            match unchanged {
                Some((older, _)) if !ended.contains(path) => {
                    for (history, line) in histories.iter_mut().zip(older.lines()) {
                        history.go_back(line.state() > State::Missed);
                    }
                }
                _ => {
                    ended.insert(path.clone());
                }
            }
        }
        for path in ended {
            if let Some(histories) = self.files.remove(&path) {
                self.found.add(path, &histories, &self.newest);
            }
        }
    }

    /// Whether more than a hundredth of the lines of a record, and more than one, are in another state than later.
    fn is_broken(&self, older: &Lines, ended: &HashSet<Box<str>>) -> bool {
        let (mut changed, mut all) = (0_usize, 0_usize);
        for (path, histories) in &self.files {
            let both = older.get(path).zip(self.newest.get(path));
            let unchanged = both.filter(|(older, newest)| have_same_lines(older, newest));
            let Some((older, _)) = unchanged.filter(|_| !ended.contains(path)) else {
                continue;
            };
            let lines = histories.iter().zip(older.lines());
            changed += lines
                .filter(|(history, line)| history.is_covered != (line.state() > State::Missed))
                .count();
            all += histories.len();
        }
        changed > (all / 100).max(1)
    }

    /// The lines that flicker.
    #[must_use]
    pub fn found(mut self) -> Flicker {
        for (path, histories) in self.files {
            self.found.add(path, &histories, &self.newest);
        }
        self.found
    }
}

impl LineHistory {
    fn go_back(&mut self, was_covered: bool) {
        self.changes += usize::from(was_covered != self.is_covered);
        self.is_covered = was_covered;
    }
}

impl Flicker {
    fn add(&mut self, path: Box<str>, histories: &[LineHistory], newest: &Lines) {
        let flickering = histories
            .iter()
            .filter(|history| history.changes >= Self::CHANGES);
        let lines: Vec<_> = flickering.map(|history| history.number).collect();
        let fingerprint = newest.get(&path).map(fingerprint);
        if let (false, Some(fingerprint)) = (lines.is_empty(), fingerprint) {
            self.files
                .insert(path, FlickeringFile { lines, fingerprint });
        }
    }
}
