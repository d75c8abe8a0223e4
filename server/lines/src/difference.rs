//! How the lines of two records differ, split by cause. The effects of all groups add up to the difference of the records.

mod absence;
mod file;
mod pairs;

pub use absence::AbsentParts;

use crate::{changes::Changes, flicker::Flicker, record::Lines};
use file::FileDifference;
use pairs::pairs;
use std::ops::{AddAssign, RangeInclusive};

/// What is known about the way from the base to the head.
#[derive(Debug, Clone, Copy, Default)]
pub struct Way<'a> {
    /// The changes that the head was uploaded with.
    pub changes: Option<&'a Changes>,
    /// Whether the changes start from the tree of the base. Otherwise no line of one record can be found in the other, except in
    /// files that have not changed.
    pub is_exact: bool,
    /// The parts of the base that were not measured at the head.
    pub absent: Option<&'a AbsentParts>,
    /// Lines of the head whose state is known to change without a reason.
    pub flicker: Option<&'a Flicker>,
}

/// How the lines of two records differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference<'a> {
    /// The groups of lines that have an effect, in the order of their paths.
    pub groups: Vec<LineGroup<'a>>,
    /// Unchanged lines that ran at the base and do not run at the head, by file, with their numbers at the head. Lines that nothing
    /// measures any more are among them, unless the changes delete or rename their file. Without lines of absent parts, and without
    /// those that are known to flicker. Complete only if the changes start from the base, and no file is in `unknown`.
    pub lost: Vec<(&'a str, Vec<RangeInclusive<u32>>)>,
    /// Files whose hunks do not fit the records, so the changes are not those between the two trees.
    pub misfits: Vec<&'a str>,
    /// Files of the base whose unchanged lines are not known, since git took them for binary ones.
    pub unknown: Vec<&'a str>,
}

/// Lines of one file that differ for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineGroup<'a> {
    /// Why they differ.
    pub cause: Cause,
    /// The path of the file at the head, else at the base.
    pub path: &'a str,
    /// The absent part, if it is the cause.
    pub part: Option<&'a str>,
    /// What they change.
    pub effect: Effect,
    /// How many of them are known to flicker.
    pub flickering: u64,
}

/// Why lines differ between two records.
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
    /// The file changed since the base, and it is not known which lines.
    ChangedSince,
}

/// A difference of counts: head minus base.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Effect {
    /// Of covered lines.
    pub covered: i64,
    /// Of coverable lines.
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
    #[must_use]
    pub fn between(base: &'a Lines, head: &'a Lines, way: Way<'a>) -> Self {
        let mut difference = Self::default();
        for pair in pairs(base, head, way) {
            if way.is_exact && pair.is_misfit {
                difference.misfits.push(pair.path);
            }
            if way.is_exact && pair.base.is_some() && pair.hides_lines() {
                difference.unknown.push(pair.path);
            }
            let file = FileDifference::of(&pair, way);
            difference.groups.extend(file.groups(pair.path));
            if !file.lost.is_empty() {
                difference.lost.push((pair.path, file.lost));
            }
        }
        difference
    }

    /// The number of lost lines.
    #[must_use]
    pub fn lost_lines(&self) -> u64 {
        let ranges = self.lost.iter().flat_map(|(_, ranges)| ranges);
        ranges
            .map(|range| u64::from(range.end() - range.start()) + 1)
            .sum()
    }

    /// The sum of the effects of all groups.
    #[must_use]
    pub fn effect(&self) -> Effect {
        let mut sum = Effect::default();
        for group in &self.groups {
            sum += group.effect;
        }
        sum
    }
}
