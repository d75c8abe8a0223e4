//! The parts of a record: what each coverage file says, and which ones are missing.
//!
//! A record that has one unnamed part with lines has no rows here: it is its own part.

mod completion;
mod early;
mod elsewhere;
mod others;
mod page;
mod rows;

pub(super) use completion::{Completion, is_protected};
pub(super) use early::{CommitKey, EarlySkips, remember_skip, skip, take_early_skips};
#[cfg(test)]
pub(super) use elsewhere::ELSEWHERE;
pub(super) use elsewhere::elsewhere;
pub use others::{OtherPart, OtherParts};
pub(super) use page::Alone;
pub(super) use rows::{
    PartRow, of_record, release_all_reports, release_reports, remove, show_newest_report, unfold,
};

use super::{NewCarried, NewLines, RecordDetails};
use domain::{Count, PartName, PartSet, Percentage, Timestamp};
use std::time::Duration;

/// The part of a commit that an upload brings, and what the upload says about others.
#[derive(Clone, Debug, Default)]
pub struct UploadedPart {
    /// Its name.
    pub name: PartName,
    /// What the upload says about others.
    pub announced: Announced,
    /// What the record becomes if other parts were measured.
    pub united: Option<United>,
}

/// What an upload says about the parts of its commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Announced {
    /// The parts that the commit will have.
    pub expected: PartSet,
    /// Those of them that count only if they arrive in the language of the upload.
    pub only_here: PartSet,
    /// Whether no further part will come.
    pub is_finished: bool,
    /// A part that will not come, and why.
    pub skipped: Option<(PartName, String)>,
    /// How long missing parts are waited for.
    pub timeout: Duration,
}

impl Announced {
    /// Whether it is worth a request without a coverage file.
    pub fn closes(&self) -> bool {
        self.is_finished || self.skipped.is_some()
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.expected.is_empty() && !self.is_finished && self.skipped.is_none()
    }
}

/// What a record becomes if other parts of its commit were measured.
#[derive(Clone, Debug)]
pub struct United {
    /// The other parts, with the times of their uploads. If they are no longer the same, nothing is stored.
    pub others: Vec<(PartName, Timestamp)>,
    /// The union of all parts; none if the lines of the others have expired, so that the upload replaces them.
    pub union: Option<Union>,
}

/// The union of several parts.
#[derive(Clone, Debug)]
pub struct Union {
    /// Covered lines of all lines.
    pub lines: Count,
    /// The details of the record.
    pub details: RecordDetails,
    /// The state of every line.
    pub line_states: NewLines,
    /// The parts in it that were not measured again.
    pub carried: Vec<NewCarried>,
}

impl Union {
    pub(super) fn percentage(&self) -> Percentage {
        self.lines.percentage()
    }
}
