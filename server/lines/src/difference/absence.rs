//! The parts of the base that were not measured at the head, so that their lines can be told from others.

use crate::{
    file::FileLines,
    line::{Line, State},
    record::Lines,
};

/// The parts of a base that were not measured at the head.
#[derive(Debug, Clone, Default)]
pub struct AbsentParts {
    /// Their names and lines, in the order in which they count.
    pub absent: Vec<(Box<str>, Lines)>,
    /// The union of the other parts of the base.
    pub others: Lines,
}

/// The lines of one file of the base, by part.
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
    /// The absent part without which the line of the base would not have run.
    pub(super) fn ran(&self, line: Line) -> Option<&'a str> {
        self.only_in_absent(line, |state| state > State::Missed)
    }

    /// The absent part without which the line of the base would not have been coverable.
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
