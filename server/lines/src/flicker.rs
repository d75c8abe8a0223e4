//! Lines that are known to flicker: their state changes although their file does not.

use crate::{changes::Changes, file::FileLines, record::Lines};
use std::{
    collections::{BTreeMap, HashSet},
    mem,
};

/// Lines that are known to flicker, by file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flicker {
    files: BTreeMap<Box<str>, FlickeringFile>,
}

/// The lines of a file that are known to flicker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlickeringFile {
    /// The numbers of the lines, in ascending order.
    pub lines: Vec<u32>,
    /// The fingerprint of the file's coverable lines; see [`fingerprint`].
    pub fingerprint: u32,
    /// The records that show the flicker, the newest first: one of the lines has another state than in the previous record,
    /// or has both states.
    pub records: Vec<i64>,
}

/// Returns a number for the set of coverable lines of a file. If the file changes, the number changes, except by chance.
pub fn fingerprint(file: &FileLines) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for line in file.lines() {
        hasher.update(&line.number().to_le_bytes());
    }
    hasher.finalize()
}

impl Flicker {
    /// The number of records that are searched, the newest of the main branch.
    pub const RECORDS: usize = 20;

    /// A line flickers if its state changed at least this many times.
    pub const CHANGES: usize = 3;

    /// The lines of a file, in ascending order. Empty if the file is not the version in which they were found.
    pub fn lines(&self, path: &str, file: &FileLines) -> &[u32] {
        match self.files.get(path) {
            Some(found) if found.fingerprint == fingerprint(file) => &found.lines,
            _ => &[],
        }
    }

    /// Adds these lines of a file, if there are any.
    fn add(&mut self, path: &str, file: &FileLines, lines: Vec<u32>, records: Vec<i64>) {
        if !lines.is_empty() {
            let file = FlickeringFile {
                lines,
                fingerprint: fingerprint(file),
                records,
            };
            self.files.insert(path.into(), file);
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

/// Searches the records of a branch, from the newest back, for lines that changed their state at least three times, or that had
/// both states in two uploads of one part of a commit. A line that was lost once, or lost and gained again, is not among them.
/// The history of a file ends at the record that changed it.
#[derive(Debug)]
pub struct FlickerSearch {
    /// The record with which the next one is compared, without files whose history has ended. The remaining files have the same
    /// coverable lines as in the newest record.
    lines: Lines,
    /// The changed lines, by file and number. Only these, because a record has millions of lines and few of them change.
    histories: BTreeMap<Box<str>, BTreeMap<u32, LineHistory>>,
    /// The searched records, the newest first.
    records: Vec<i64>,
    /// The index in `records` of the record that `lines` comes from: the last searched record whose run was not broken.
    last: usize,
    found: Flicker,
}

/// The run of an older record.
#[derive(Debug)]
pub enum OlderRun {
    /// Its lines are not compared; only the histories of changed files end.
    Broken,
    /// It has the same lines as the last searched record that is no broken run.
    Same,
    /// It has these lines.
    Other(Lines),
}

/// The searched records in which a line changed its state, and the records in which it had both states: one bit for each
/// record.
#[derive(Debug, Default)]
struct LineHistory {
    changed_in: u32,
    both_in: u32,
}

impl FlickerSearch {
    /// Starts with the newest record.
    pub fn from(record: i64, newest: Lines) -> Self {
        Self {
            lines: newest,
            histories: BTreeMap::new(),
            records: vec![record],
            last: 0,
            found: Flicker::default(),
        }
    }

    /// Whether older records add nothing: the histories of all files have ended, or [`Flicker::RECORDS`] were searched.
    pub fn is_over(&self) -> bool {
        self.lines.files().len() == 0 || self.records.len() >= Flicker::RECORDS
    }

    /// The number of searched records.
    pub fn records(&self) -> usize {
        self.records.len()
    }

    /// The lines with which the next record is compared: of the last record that is no broken run, without files whose history
    /// has ended.
    pub const fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Whether a part differs between two records in so many lines that one of the runs is broken; see [`differing`]. Changed
    /// files do not count. `changes` are between the two records.
    pub fn is_broken(&self, newer: &Lines, older: &Lines, changes: Option<&Changes>) -> bool {
        let changed = changed_files(changes);
        let is_unchanged = |path: &str| self.lines.get(path).is_some() && !changed.contains(path);
        differing_among(newer, older, is_unchanged).is_none()
    }

    /// Adds the lines that had both states in two uploads of one part of the last searched record.
    pub fn add_both(&mut self, both: &Flicker) {
        let record = bit(self.records.len() - 1);
        for (path, _) in both.files() {
            let lines = self.lines.get(path).map(|file| both.lines(path, file));
            for &number in lines.unwrap_or_default() {
                self.history(path, number).both_in |= record;
            }
        }
    }

    /// Continues with the next older record. `changes` are the changes since that record, if they are known; without them, a file
    /// counts as unchanged while the same lines are coverable.
    pub fn before(&mut self, record: i64, older: OlderRun, changes: Option<&Changes>) {
        let changed = changed_files(changes);
        let is_broken = matches!(older, OlderRun::Broken);
        if let OlderRun::Other(mut older) = older {
            let changed_in = bit(self.last);
            for (path, file) in mem::take(&mut self.lines).into_files() {
                let before = older.remove(&path);
                let before = before.filter(|before| before.has_lines_of(&file));
                if let Some(before) = before.filter(|_| !changed.contains(&*path)) {
                    for line in differing_lines(&file, &before) {
                        self.history(&path, line).changed_in |= changed_in;
                    }
                    self.lines.add(path, before);
                } else {
                    self.end(&path, &file);
                }
            }
        } else {
            for path in changed {
                if let Some(file) = self.lines.remove(path) {
                    self.end(path, &file);
                }
            }
        }
        if !is_broken {
            self.last = self.records.len();
        }
        self.records.push(record);
    }

    /// Ends the search, and returns the lines that flicker.
    #[must_use]
    pub fn found(mut self) -> Flicker {
        for (path, file) in mem::take(&mut self.lines).into_files() {
            self.end(&path, &file);
        }
        self.found
    }

    fn history(&mut self, path: &str, line: u32) -> &mut LineHistory {
        let lines = self.histories.entry(path.into()).or_default();
        lines.entry(line).or_default()
    }

    fn end(&mut self, path: &str, file: &FileLines) {
        let Some(histories) = self.histories.remove(path) else {
            return;
        };
        let flickering = histories.iter().filter(|(_, history)| history.flickers());
        let shown =
            |shown, (_, history): (_, &LineHistory)| shown | history.changed_in | history.both_in;
        let shown = flickering.clone().fold(0, shown);
        let lines = flickering.map(|(&number, _)| number).collect();
        let records = self.records.iter().enumerate();
        let records = records.filter(|&(record, _)| shown & bit(record) > 0);
        let records = records.map(|(_, &id)| id).collect();
        self.found.add(path, file, lines, records);
    }
}

/// The lines of a part whose state differs between two uploads, in files with the same lines. `None` if these are more than one
/// line and more than a hundredth of the lines: then one of the runs is broken, and the comparison means nothing.
pub fn differing(one: &Lines, other: &Lines) -> Option<Flicker> {
    differing_among(one, other, |_| true)
}

fn differing_among(one: &Lines, other: &Lines, among: impl Fn(&str) -> bool) -> Option<Flicker> {
    let (mut all, mut differing) = (0, 0);
    let mut found = Flicker::default();
    for (path, file) in one.files().filter(|(path, _)| among(path)) {
        let other = other.get(path);
        let Some(other) = other.filter(|other| file.has_lines_of(other)) else {
            continue;
        };
        let lines: Vec<_> = differing_lines(file, other).collect();
        all += file.lines().len();
        differing += lines.len();
        found.add(path, file, lines, Vec::new());
    }
    (differing <= (all / 100).max(1)).then_some(found)
}

/// The numbers of the lines that ran in only one of two files with the same lines.
fn differing_lines(file: &FileLines, other: &FileLines) -> impl Iterator<Item = u32> {
    let pairs = file.lines().iter().zip(other.lines());
    let differing = pairs.filter(|(line, other)| line.ran() != other.ran());
    differing.map(|(line, _)| line.number())
}

impl LineHistory {
    fn flickers(&self) -> bool {
        self.both_in > 0 || self.changed_in.count_ones() as usize >= Flicker::CHANGES
    }
}

fn changed_files(changes: Option<&Changes>) -> HashSet<&str> {
    let files = changes.map_or(&[][..], |changes| changes.files());
    files
        .iter()
        .filter_map(|file| file.path.as_deref())
        .collect()
}

/// Returns the bit of a record. There are at most [`Flicker::RECORDS`].
fn bit(record: usize) -> u32 {
    u32::try_from(record).map_or(0, |record| 1_u32.checked_shl(record).unwrap_or(0))
}
