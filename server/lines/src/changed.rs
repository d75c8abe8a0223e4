//! The state of the changed lines of a commit.

use crate::{
    changes::{ChangedFile, Changes},
    counts::Counts,
    file::FileLines,
    line::{Line, State, add_to_ranges},
    record::Lines,
};
use std::{collections::HashSet, ops::RangeInclusive};

/// The changed lines of a record, by state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedLines<'a> {
    /// The changed files that the record has, in the order of their paths. A file that was only renamed has no lines.
    pub files: Vec<MeasuredChange<'a>>,
    /// Files with new lines that the record does not have, although it has files with the same extension.
    pub unmeasured: Vec<&'a str>,
    /// Changed files of the record that git treated as binary, so their changed lines are unknown.
    pub binary: Vec<&'a str>,
}

/// The changed lines of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeasuredChange<'a> {
    /// The path in the measured tree.
    pub path: &'a str,
    /// The path in the base. `None` if the file was added.
    pub old_path: Option<&'a str>,
    /// The number of changed lines in each state. Other changed lines are not coverable.
    pub counts: Counts,
    /// Changed lines that did not run.
    pub missed: Vec<RangeInclusive<u32>>,
    /// Changed lines that ran without all their branches.
    pub partial: Vec<RangeInclusive<u32>>,
}

impl Changes {
    /// The state of the changed lines in `lines`, which belong to the measured tree.
    pub fn measured<'a>(&'a self, lines: &Lines) -> ChangedLines<'a> {
        let known: HashSet<&str> = lines
            .files()
            .filter_map(|(path, _)| extension(path))
            .collect();
        let mut changed = ChangedLines::default();
        for file in self.files() {
            let Some(path) = file.path.as_deref() else {
                continue;
            };
            let has_new_lines = file.hunks.iter().any(|hunk| hunk.new.lines > 0);
            let may_be_measured = || extension(path).is_some_and(|of| known.contains(of));
            match lines.get(path) {
                Some(_) if file.is_binary => changed.binary.push(path),
                Some(lines) => changed.files.push(measured(file, path, lines)),
                None if has_new_lines && may_be_measured() => changed.unmeasured.push(path),
                None => {}
            }
        }
        changed
    }
}

impl ChangedFile {
    /// Its changed lines that are coverable. `lines` are its lines in the measured tree.
    pub fn new_lines<'a>(&'a self, lines: &'a FileLines) -> impl Iterator<Item = &'a Line> {
        let hunks = self.hunks.iter().map(|hunk| hunk.new);
        hunks.flat_map(|new| lines.between(new.first, new.end()))
    }
}

impl ChangedLines<'_> {
    /// The number of changed lines in each state, in all files.
    pub fn counts(&self) -> Counts {
        self.files.iter().map(|file| file.counts).sum()
    }
}

fn measured<'a>(file: &'a ChangedFile, path: &'a str, lines: &FileLines) -> MeasuredChange<'a> {
    let mut change = MeasuredChange {
        path,
        old_path: file.old_path.as_deref(),
        ..MeasuredChange::default()
    };
    for line in file.new_lines(lines) {
        change.counts.add_line(line.state());
        match line.state() {
            State::Missed => add_to_ranges(&mut change.missed, line.number()),
            State::Partial => add_to_ranges(&mut change.partial, line.number()),
            State::Hit => {}
        }
    }
    change
}

/// Returns the text after the last dot of a file's name.
pub fn extension(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let (stem, extension) = name.rsplit_once('.')?;
    (!stem.is_empty()).then_some(extension)
}
