//! The parts of the base that were not measured at the head: their lines form separate groups.

use crate::{
    file::FileLines,
    line::{Line, State},
    record::Lines,
};

/// The parts of the base that were not measured at the head.
#[derive(Debug, Clone, Default)]
pub struct AbsentParts {
    /// The names and lines of these parts. The first part with a line counts for it.
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
    /// Returns the absent part without which the line would not have run at the base.
    pub(super) fn ran(&self, line: Line) -> Option<&'a str> {
        self.only_in_absent(line, |state| state > State::Missed)
    }

    /// Returns the absent part without which the line would not have been coverable at the base.
    pub(super) fn measured(&self, line: Line) -> Option<&'a str> {
        self.only_in_absent(line, |_| true)
    }

    fn only_in_absent(&self, line: Line, wanted: impl Fn(State) -> bool) -> Option<&'a str> {
        let has = |file: &FileLines| file.state(line.number()).is_some_and(&wanted);
        if self.others.is_some_and(has) {
            return None;
        }
        let found = self.absent.iter().find(|(_, file)| has(file));
        found.map(|(name, _)| *name)
    }
}
