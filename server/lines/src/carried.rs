//! Carries the lines of a record forward: finds the unchanged lines after changes.

use crate::{
    changes::{ChangedFile, Changes},
    file::FileLines,
    limits::TooLarge,
    line::MAX_LINE,
    record::Lines,
};
use std::collections::{HashMap, HashSet};

/// The maximum memory of one [`Moves`], in bytes: enough for the changes of a large commit.
const MAX_BYTES: usize = 128 << 20;

/// The estimated memory of an entry of `files` or `here`, in bytes, without paths and stretches.
const FILE_BYTES: usize = 150;

impl Lines {
    /// The lines that no change touches, with their paths and numbers after the changes. `self` has the lines of the tree from
    /// which the changes start.
    ///
    /// A file loses its lines if it is binary, if its hunks contradict each other, if the changes create it although it exists,
    /// or if two files claim to come from it.
    #[must_use]
    pub fn moved(self, moves: &Moves) -> Self {
        let mut moved = Self::default();
        for (path, file) in self.into_files() {
            match moves.of_file(&path) {
                Fate::Untouched => moved.add(path, file),
                Fate::Moved(to) => {
                    let lines = file.moved(&to.stretches);
                    if !lines.lines().is_empty() {
                        moved.add(&*to.path, lines);
                    }
                }
                Fate::Unknown => {}
            }
        }
        moved
    }
}

impl FileLines {
    fn moved(&self, stretches: &[Stretch]) -> Self {
        let mut moved = Self::with_capacity(self.lines().len());
        let lines = self.lines().iter().map(|line| (line.number(), line));
        for (new, line) in new_numbers(stretches, lines) {
            moved.push(line.at(new), self.branches(line.number()).cloned());
        }
        moved
    }
}

/// Drops the lines that are in no stretch, and gives the others their new numbers. The lines are in ascending order.
fn new_numbers<T>(
    stretches: &[Stretch],
    lines: impl Iterator<Item = (u32, T)>,
) -> impl Iterator<Item = (u32, T)> {
    let mut stretches = stretches.iter().peekable();
    lines.filter_map(move |(number, of_line)| {
        while stretches.next_if(|at| at.old_end() <= number).is_some() {}
        let at = stretches.peek().filter(|at| at.old <= number)?;
        let new = at.new.checked_add(number - at.old)?;
        (1..=MAX_LINE).contains(&new).then_some((new, of_line))
    })
}

/// Where the lines of an older tree are in a newer tree, after consecutive changes. Empty moves change nothing.
#[derive(Debug, Clone, Default)]
pub struct Moves {
    /// By the path in the older tree. `None` if the file is gone, or if the changes contradict each other.
    files: HashMap<Box<str>, Option<MovedFile>>,
    /// The paths of changed files in the newer trees. If a path is here but not in `files`, the lines of the older tree's file at
    /// this path are unknown.
    here: HashSet<Box<str>>,
}

#[derive(Debug, Clone)]
struct MovedFile {
    path: Box<str>,
    /// In ascending order.
    stretches: Vec<Stretch>,
}

/// Consecutive unchanged lines.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    old: u32,
    new: u32,
    lines: u32,
}

impl Stretch {
    fn old_end(self) -> u32 {
        self.old.saturating_add(self.lines)
    }

    fn new_end(self) -> u32 {
        self.new.saturating_add(self.lines)
    }
}

/// The effect of changes on a file of the older tree.
enum Fate<'a> {
    Untouched,
    Moved(&'a MovedFile),
    /// The file is gone or binary, or the changes contradict each other.
    Unknown,
}

/// What is known about lines, by their numbers.
type OfLines<T> = Vec<(u32, T)>;

impl Moves {
    /// The moves of one commit.
    pub fn of(changes: &Changes) -> Self {
        let mut by_old_path: HashMap<&str, Option<&ChangedFile>> = HashMap::new();
        let (mut here, mut edited) = (HashSet::new(), HashSet::new());
        for file in changes.files() {
            here.extend(file.path.clone());
            let Some(old) = file.old_path.as_deref() else {
                continue;
            };
            // A file that keeps its path did not move: other files with this old path are copies.
            if file.path.as_deref() == Some(old) {
                edited.insert(old);
                by_old_path.insert(old, Some(file));
            } else if !edited.contains(old) {
                let known = by_old_path.contains_key(old);
                by_old_path.insert(old, (!known && file.path.is_some()).then_some(file));
            }
        }
        let files = by_old_path.into_iter().map(|(old, change)| {
            let change = change.filter(|change| change.is_consistent() && !change.is_binary);
            (old.into(), change.and_then(MovedFile::of))
        });
        Self {
            files: files.collect(),
            here,
        }
    }

    /// Puts the changes of an older commit before these moves.
    ///
    /// # Errors
    ///
    /// If the moves take too much memory.
    pub fn after(self, older: &Changes) -> Result<Self, TooLarge> {
        let mut all = Self::of(older);
        for file in all.files.values_mut() {
            let Some(moved) = file else { continue };
            match self.of_file(&moved.path) {
                Fate::Untouched => {}
                Fate::Moved(next) => {
                    moved.stretches = composed(&moved.stretches, &next.stretches);
                    moved.path.clone_from(&next.path);
                }
                Fate::Unknown => *file = None,
            }
        }
        for (path, file) in self.files {
            if !all.here.contains(&path) {
                all.files.entry(path).or_insert(file);
            }
        }
        all.here.extend(self.here);
        let is_small = all.bytes() <= MAX_BYTES;
        is_small.then_some(all).ok_or(TooLarge)
    }

    fn of_file(&self, path: &str) -> Fate<'_> {
        match self.files.get(path) {
            Some(Some(moved)) => Fate::Moved(moved),
            Some(None) => Fate::Unknown,
            None if self.here.contains(path) => Fate::Unknown,
            None => Fate::Untouched,
        }
    }

    /// The new path of a file, and its lines that did not change, with their new numbers; `None` if the file is unknown now.
    pub(crate) fn of_lines<T>(
        &self,
        path: Box<str>,
        lines: OfLines<T>,
    ) -> Option<(Box<str>, OfLines<T>)> {
        match self.of_file(&path) {
            Fate::Untouched => Some((path, lines)),
            Fate::Moved(to) => {
                let lines = new_numbers(&to.stretches, lines.into_iter());
                Some((to.path.clone(), lines.collect()))
            }
            Fate::Unknown => None,
        }
    }

    /// The new path of a file of which no line changed; `None` if the file is unknown now.
    ///
    /// # Errors
    ///
    /// If its lines changed.
    pub(crate) fn of_whole_file<'p>(&'p self, path: &'p str) -> Result<Option<&'p str>, ()> {
        match self.of_file(path) {
            Fate::Untouched => Ok(Some(path)),
            Fate::Unknown => Ok(None),
            Fate::Moved(to) => match to.stretches[..] {
                [
                    Stretch {
                        old: 1,
                        new: 1,
                        lines,
                    },
                ] if lines >= MAX_LINE => Ok(Some(&to.path)),
                _ => Err(()),
            },
        }
    }

    fn bytes(&self) -> usize {
        let files = self.files.iter().map(|(path, file)| {
            let moved = file.as_ref().map_or(0, |file| {
                file.path.len() + file.stretches.len() * size_of::<Stretch>()
            });
            FILE_BYTES + path.len() + moved
        });
        let here = self.here.iter().map(|path| FILE_BYTES + path.len());
        files.chain(here).sum()
    }
}

impl MovedFile {
    /// `None` if the file is gone.
    fn of(change: &ChangedFile) -> Option<Self> {
        let path = change.path.clone()?;
        let mut stretches = Vec::with_capacity(change.hunks.len() + 1);
        let (mut old, mut new) = (1, 1);
        for hunk in &change.hunks {
            let lines = hunk.old.first.saturating_sub(old);
            stretches.push(Stretch { old, new, lines });
            (old, new) = (hunk.old.end(), hunk.new.end());
        }
        let lines = u32::MAX - old.max(new);
        stretches.push(Stretch { old, new, lines });
        stretches.retain(|stretch| stretch.lines > 0);
        Some(Self { path, stretches })
    }
}

/// The lines that neither of two changes touches.
fn composed(first: &[Stretch], second: &[Stretch]) -> Vec<Stretch> {
    let mut composed = Vec::with_capacity(first.len().max(second.len()));
    let (mut first, mut second) = (first.iter().peekable(), second.iter().peekable());
    while let (Some(&&one), Some(&&other)) = (first.peek(), second.peek()) {
        // Positions in the tree between the two changes.
        let start = one.new.max(other.old);
        let end = one.new_end().min(other.old_end());
        if start < end {
            composed.push(Stretch {
                old: one.old + (start - one.new),
                new: other.new + (start - other.old),
                lines: end - start,
            });
        }
        if one.new_end() <= other.old_end() {
            first.next();
        } else {
            second.next();
        }
    }
    composed
}
