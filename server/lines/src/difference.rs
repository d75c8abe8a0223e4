//! The difference between the lines of two records, split by cause. The effects of all groups add up to the difference of the
//! counts.

mod absence;
mod file;

pub use absence::AbsentParts;

use crate::{
    changes::Changes,
    flicker::Flicker,
    pairs::{Pair, pairs},
    record::Lines,
};
use file::FileDifference;
use std::{
    fmt,
    ops::{AddAssign, RangeInclusive},
};

/// What is known about the changes between the base and the head.
#[derive(Debug, Clone, Copy, Default)]
pub struct Way<'a> {
    /// The changes that were uploaded with the head.
    pub changes: Option<&'a Changes>,
    /// Whether the changes start from the tree of the base. If not, lines of one record can be found in the other only in files
    /// that have not changed.
    pub is_exact: bool,
    /// The parts of the base that were not measured at the head.
    pub absent: Option<&'a AbsentParts>,
    /// Lines of the head that are known to flicker.
    pub flicker: Option<&'a Flicker>,
    /// The files that the settings ignore.
    pub ignored: Option<IgnoredPaths<'a>>,
    /// Whether groups of gained and lost lines, and of added lines that did not run, list these lines.
    pub names_lines: bool,
}

/// Which paths the settings of the base and of the head ignore. Their files are not in the lines.
#[derive(Clone, Copy)]
pub struct IgnoredPaths<'a> {
    /// Whether the base ignores a path.
    pub at_base: &'a dyn Fn(&str) -> bool,
    /// Whether the head ignores a path.
    pub at_head: &'a dyn Fn(&str) -> bool,
}

impl fmt::Debug for IgnoredPaths<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IgnoredPaths").finish_non_exhaustive()
    }
}

impl Way<'_> {
    /// Whether a file is in only one of the two records because the other one ignores it.
    fn ignores(&self, pair: &Pair<'_>) -> bool {
        let Some(ignored) = self.ignored else {
            return false;
        };
        let change = pair.change.filter(|_| self.is_exact && !pair.is_stale);
        match (pair.base, pair.head) {
            // A deleted file has no path at the head.
            (Some(_), None) => change
                .map_or(Some(pair.old_path), |change| change.path.as_deref())
                .is_some_and(ignored.at_head),
            (None, Some(_)) if !pair.is_copy => change
                .map_or(Some(pair.path), |change| change.old_path.as_deref())
                .is_some_and(ignored.at_base),
            _ => false,
        }
    }
}

/// The difference between the lines of two records.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference<'a> {
    /// The groups of lines with an effect, in the order of their paths.
    pub groups: Vec<LineGroup<'a>>,
    /// Unchanged lines that ran at the base and do not run at the head, by file, with their numbers at the head. Lines that are
    /// no longer measured are included, unless the changes delete or rename their file. Lines of absent parts and lines that are
    /// known to flicker are not included, and no lines of files that
    /// the head ignores. Complete only if the changes start from the base and `unknown` is empty.
    pub lost: Vec<(&'a str, Vec<RangeInclusive<u32>>)>,
    /// Files whose hunks do not match the records: the changes are of other commits.
    pub stale_hunks: Vec<&'a str>,
    /// Files of the base that git treated as binary, so their unchanged lines are unknown.
    pub unknown: Vec<&'a str>,
}

/// Lines of one file that differ for the same cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineGroup<'a> {
    /// The cause of the difference.
    pub cause: Cause,
    /// The path of the file at the head, else at the base.
    pub path: &'a str,
    /// The absent part, for `Cause::PartAbsent`.
    pub part: Option<&'a str>,
    /// The effect on the counts.
    pub effect: Effect,
    /// The number of lines that are known to flicker.
    pub flickering: u64,
    /// Gained or lost lines that are still measured, or added lines that did not run, with their numbers at the head. Empty unless
    /// [`Way::names_lines`].
    pub lines: Vec<RangeInclusive<u32>>,
}

/// The cause of a difference between two records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// The changes added the lines.
    Added,
    /// The changes removed the lines.
    Removed,
    /// The lines are unchanged, and run now.
    Gained,
    /// The lines are unchanged, and no longer run.
    Lost,
    /// The lines are unchanged, and coverable only at the head.
    Appeared,
    /// The lines are unchanged, and were coverable only at the base.
    Vanished,
    /// Only a part that is absent at the head ran or measured the lines.
    PartAbsent,
    /// Only one of the two records ignores the file.
    Ignored,
    /// The file changed since the base, and its changed lines are unknown.
    ChangedSince,
}

/// A difference of counts: head minus base.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effect {
    /// The difference of covered lines.
    pub covered: i64,
    /// The difference of coverable lines.
    pub coverable: i64,
}

impl AddAssign for Effect {
    fn add_assign(&mut self, other: Self) {
        self.covered += other.covered;
        self.coverable += other.coverable;
    }
}

impl<'a> Difference<'a> {
    /// Compares the lines of two records.
    pub fn between(base: &'a Lines, head: &'a Lines, way: Way<'a>) -> Self {
        let mut difference = Self::default();
        for pair in pairs(base, head, way.changes) {
            if way.ignores(&pair) {
                difference
                    .groups
                    .extend(FileDifference::ignored(&pair).groups);
                continue;
            }
            if way.is_exact && pair.is_stale {
                difference.stale_hunks.push(pair.path);
            }
            if way.is_exact && pair.base.is_some() && pair.hides_lines() {
                difference.unknown.push(pair.path);
            }
            let file = FileDifference::of(&pair, way);
            difference.groups.extend(file.groups);
            if !file.lost.is_empty() {
                difference.lost.push((pair.path, file.lost));
            }
        }
        difference
    }

    /// The number of lost lines.
    pub fn lost_lines(&self) -> u64 {
        let ranges = self.lost.iter().flat_map(|(_, ranges)| ranges);
        ranges
            .map(|range| u64::from(range.end() - range.start()) + 1)
            .sum()
    }
}
