//! Carries the lines of a record forward: where its unchanged lines are after changes.

use crate::{
    changes::{ChangedFile, Changes},
    file::FileLines,
    line::MAX_LINE,
    record::Lines,
};
use std::collections::{HashMap, HashSet};

impl Lines {
    /// The lines that the changes leave as they are, with the paths and numbers that they have afterwards. `self` has the lines of
    /// the tree that the changes start from.
    ///
    /// A file has no such lines if its hunks contradict each other, if the changes create it although it is there, or if two files
    /// claim to be it.
    #[must_use]
    pub fn carried(self, changes: &Changes) -> Self {
        let fates = Fates::of(changes);
        let mut carried = Self::default();
        for (path, file) in self.into_files() {
            match fates.of_file(&path) {
                Fate::Untouched => carried.add(path, file),
                Fate::Changed { change, path } => {
                    let lines = file.carried(change);
                    if !lines.lines().is_empty() {
                        carried.add(path, lines);
                    }
                }
                Fate::Unknown => {}
            }
        }
        carried
    }
}

impl FileLines {
    fn carried(&self, change: &ChangedFile) -> Self {
        let mut carried = Self::with_capacity(self.lines().len());
        let mut hunks = change.hunks.iter().peekable();
        let mut shift = 0_i64;
        for &line in self.lines() {
            let number = line.number();
            while let Some(hunk) = hunks.next_if(|hunk| hunk.old.end() <= number) {
                shift = i64::from(hunk.new.end()) - i64::from(hunk.old.end());
            }
            let is_removed = hunks.peek().is_some_and(|hunk| hunk.old.first <= number);
            let moved = u32::try_from(i64::from(number) + shift);
            if let (false, Ok(moved @ 1..=MAX_LINE)) = (is_removed, moved) {
                carried.push(line.at(moved), self.branches(number).cloned());
            }
        }
        carried
    }
}

/// What changes do to a file of the tree that they start from.
enum Fate<'a> {
    Untouched,
    Changed {
        change: &'a ChangedFile,
        path: &'a str,
    },
    /// It is gone, or the changes contradict each other.
    Unknown,
}

struct Fates<'a> {
    /// By the path before the changes. None if the file is gone, or if several files claim to be it.
    by_old_path: HashMap<&'a str, Option<&'a ChangedFile>>,
    /// The paths afterwards.
    here: HashSet<&'a str>,
}

impl<'a> Fates<'a> {
    fn of(changes: &'a Changes) -> Self {
        let mut by_old_path: HashMap<&str, Option<&ChangedFile>> = HashMap::new();
        let (mut here, mut edited) = (HashSet::new(), HashSet::new());
        for file in changes.files() {
            here.extend(file.path.as_deref());
            let Some(old) = file.old_path.as_deref() else {
                continue;
            };
            // A copy leaves the file where it is.
            if file.path.as_deref() == Some(old) {
                edited.insert(old);
                by_old_path.insert(old, Some(file));
            } else if !edited.contains(old) {
                let known = by_old_path.contains_key(old);
                by_old_path.insert(old, (!known && file.path.is_some()).then_some(file));
            }
        }
        Self { by_old_path, here }
    }

    fn of_file(&self, old_path: &str) -> Fate<'a> {
        match self.by_old_path.get(old_path) {
            Some(&Some(change)) if change.is_consistent() => match change.path.as_deref() {
                Some(path) => Fate::Changed { change, path },
                None => Fate::Unknown,
            },
            Some(_) => Fate::Unknown,
            None if self.here.contains(old_path) => Fate::Unknown,
            None => Fate::Untouched,
        }
    }
}
