//! The parts of the base that were not measured at the head: their lines form separate groups.

use crate::{
    file::FileLines,
    line::{Line, State},
    record::Lines,
};

/// The parts of the base that were not measured at the head.
#[derive(Debug, Clone, Default)]
pub struct AbsentParts {
    /// The names and lines of these parts. If several absent parts have a line, the first one is the cause.
    pub absent: Vec<(Box<str>, Lines)>,
    /// The union of the other parts of the base.
    pub others: Lines,
}

#[derive(Default)]
pub(super) struct FileByPart<'a> {
    absent: Vec<(&'a str, &'a FileLines)>,
    others: Option<&'a FileLines>,
}

impl AbsentParts {
    pub(super) fn file(&self, path: &str) -> FileByPart<'_> {
        let absent = self.absent.iter();
        let absent = absent.filter_map(|(name, lines)| Some((&**name, lines.get(path)?)));
        FileByPart {
            absent: absent.collect(),
            others: self.others.get(path),
        }
    }
}

impl<'a> FileByPart<'a> {
    /// Returns the first absent part in which the line has at least this state at the base, unless another part of the base has that state too.
    pub(super) fn only_part(&self, line: Line, least: State) -> Option<&'a str> {
        let has = |file: &FileLines| file.state(line.number()) >= Some(least);
        if self.others.is_some_and(has) {
            return None;
        }
        let found = self.absent.iter().find(|(_, file)| has(file));
        found.map(|(name, _)| *name)
    }
}
