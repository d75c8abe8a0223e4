//! Lines whose state changes although their file does not: they are known to flicker.

use crate::{
    changes::Changes,
    difference::have_same_lines,
    file::FileLines,
    line::{Line, State},
    record::Lines,
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
    /// The records that show it, the newest one first: those in which one of the lines has another state than in the record
    /// before, or had both states.
    pub records: Vec<i64>,
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

/// Searches the records of a branch from the newest one back for lines that changed their state three times or more, or that had
/// both states in two uploads of one part of a commit. A line that was lost once, and even one that was gained again, is not among
/// them. The history of a file ends where it was changed.
#[derive(Debug)]
pub struct FlickerSearch {
    newest: Lines,
    /// The files that have not changed since the record that was searched last.
    files: BTreeMap<Box<str>, Vec<LineHistory>>,
    /// The records that were searched, the newest one first.
    records: Vec<i64>,
    /// Which of them the next one is compared with.
    last: usize,
    found: Flicker,
}

/// A line in the records that were searched.
#[derive(Debug, Clone, Copy)]
struct LineHistory {
    number: u32,
    is_covered: bool,
    /// In which of the records it changed its state: one bit for each.
    changed_in: u32,
    /// In which of them it had both states.
    both_in: u32,
}

impl FlickerSearch {
    /// Begins with the newest record.
    #[must_use]
    pub fn from(record: i64, newest: Lines) -> Self {
        let histories = newest.files().map(|(path, file)| {
            let lines = file.lines().iter().map(|line| LineHistory {
                number: line.number(),
                is_covered: line.state() > State::Missed,
                changed_in: 0,
                both_in: 0,
            });
            (path.into(), lines.collect())
        });
        Self {
            files: histories.collect(),
            newest,
            records: vec![record],
            last: 0,
            found: Flicker::default(),
        }
    }

    /// Whether older records say nothing: the histories of all files have ended, or there were [`Flicker::RECORDS`].
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.files.is_empty() || self.records.len() >= Flicker::RECORDS
    }

    /// How many records were searched.
    #[must_use]
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// Whether a part of two records differs in so many lines that one of the runs is broken; see [`differing`]. Files that changed
    /// since do not count. `changes` are those between the two.
    #[must_use]
    pub fn is_broken(&self, newer: &Lines, older: &Lines, changes: Option<&Changes>) -> bool {
        let changed = changes.map_or(&[][..], |changes| changes.files());
        let changed: HashSet<_> = changed
            .iter()
            .filter_map(|file| file.path.as_deref())
            .collect();
        let is_unchanged = |path: &str| self.files.contains_key(path) && !changed.contains(path);
        differing_among(newer, older, is_unchanged).is_none()
    }

    /// Adds the lines that had both states in two uploads of one part of the record that was searched last.
    pub fn add_both(&mut self, both: &Flicker) {
        let record = bit(self.records.len() - 1);
        for (path, histories) in &mut self.files {
            let Some(file) = self.newest.get(path) else {
                continue;
            };
            let lines = both.lines(path, file);
            let had_both =
                |history: &&mut LineHistory| lines.binary_search(&history.number).is_ok();
            histories
                .iter_mut()
                .filter(had_both)
                .for_each(|history| history.both_in |= record);
        }
    }

    /// Goes back to the record before. `changes` are those of the record that came after it, if they are known; otherwise a file
    /// counts as unchanged as long as the same lines are coverable. A broken run only ends the histories of changed files.
    pub fn before(
        &mut self,
        record: i64,
        older: &Lines,
        changes: Option<&Changes>,
        is_broken: bool,
    ) {
        let changed = changes.map_or(&[][..], |changes| changes.files());
        let mut ended: HashSet<Box<str>> = changed
            .iter()
            .filter_map(|file| file.path.clone())
            .collect();
        let changed_in = bit(self.last);
        for (path, histories) in &mut self.files {
            if is_broken {
                break;
            }
            let both = older.get(path).zip(self.newest.get(path));
            let unchanged = both.filter(|(older, newest)| have_same_lines(older, newest));
            match unchanged {
                Some((older, _)) if !ended.contains(path) => {
                    for (history, line) in histories.iter_mut().zip(older.lines()) {
                        history.go_back(line.state() > State::Missed, changed_in);
                    }
                }
                _ => {
                    ended.insert(path.clone());
                }
            }
        }
        for path in ended {
            if let Some(histories) = self.files.remove(&path) {
                self.found
                    .add(path, &histories, &self.newest, &self.records);
            }
        }
        if !is_broken {
            self.last = self.records.len();
        }
        self.records.push(record);
    }

    /// The lines that flicker.
    #[must_use]
    pub fn found(mut self) -> Flicker {
        for (path, histories) in self.files {
            self.found
                .add(path, &histories, &self.newest, &self.records);
        }
        self.found
    }
}

/// The lines of a part whose state differs in two uploads of it, in files with the same lines. None if they are more than a
/// hundredth of the lines, and more than one: then one of the runs is broken, and says nothing.
#[must_use]
pub fn differing(one: &Lines, other: &Lines) -> Option<Flicker> {
    differing_among(one, other, |_| true)
}

fn differing_among(one: &Lines, other: &Lines, among: impl Fn(&str) -> bool) -> Option<Flicker> {
    let (mut all, mut differing) = (0, 0);
    let mut found = Flicker::default();
    for (path, file) in one.files().filter(|(path, _)| among(path)) {
        let other = other.get(path);
        let Some(other) = other.filter(|other| have_same_lines(file, other)) else {
            continue;
        };
        let is_covered = |line: &Line| line.state() > State::Missed;
        let pairs = file.lines().iter().zip(other.lines());
        let lines = pairs
            .filter(|(line, other)| is_covered(line) != is_covered(other))
            .map(|(line, _)| line.number());
        let lines: Vec<_> = lines.collect();
        all += file.lines().len();
        differing += lines.len();
        if !lines.is_empty() {
            let file = FlickeringFile {
                lines,
                fingerprint: fingerprint(file),
                records: Vec::new(),
            };
            found.files.insert(path.into(), file);
        }
    }
    (differing <= (all / 100).max(1)).then_some(found)
}

impl LineHistory {
    fn go_back(&mut self, was_covered: bool, record: u32) {
        if was_covered != self.is_covered {
            self.changed_in |= record;
        }
        self.is_covered = was_covered;
    }

    fn flickers(&self) -> bool {
        self.both_in > 0 || self.changed_in.count_ones() as usize >= Flicker::CHANGES
    }
}

/// The bit of a record; there are at most [`Flicker::RECORDS`].
fn bit(record: usize) -> u32 {
    u32::try_from(record).map_or(0, |record| 1_u32.checked_shl(record).unwrap_or(0))
}

impl Flicker {
    fn add(&mut self, path: Box<str>, histories: &[LineHistory], newest: &Lines, records: &[i64]) {
        let flickering = histories.iter().filter(|history| history.flickers());
        let shown = |shown, history: &LineHistory| shown | history.changed_in | history.both_in;
        let shown = flickering.clone().fold(0, shown);
        let lines: Vec<_> = flickering.map(|history| history.number).collect();
        let fingerprint = newest.get(&path).map(fingerprint);
        if let (false, Some(fingerprint)) = (lines.is_empty(), fingerprint) {
            let records = records.iter().enumerate();
            let records = records.filter(|&(record, _)| shown & bit(record) > 0);
            let file = FlickeringFile {
                lines,
                fingerprint,
                records: records.map(|(_, &id)| id).collect(),
            };
            self.files.insert(path, file);
        }
    }
}
