//! The parts of a record: the contents of each coverage file, and the missing parts.
//!
//! A record with one unnamed part that has lines has no rows here: the record itself is the part.

mod completion;
mod early;
mod elsewhere;
mod others;
mod page;
mod rows;

pub(super) use completion::{Completion, record_is_unconfirmed};
pub(super) use early::{EarlySkips, remember_skip, skip, take_early_skips};
#[cfg(test)]
pub(super) use elsewhere::ELSEWHERE;
pub(super) use elsewhere::elsewhere;
pub use others::{OtherPart, OtherParts, PartDetails};
pub(super) use page::Alone;
pub(super) use rows::{
    PartRow, measured, of_record, release_all_reports, release_reports, remove, show_newest_report,
    unfold,
};

use super::{NewCarried, NewLines, RecordDetails};
use domain::{Count, PartName, PartSet, Timestamp};
use std::time::Duration;

/// The part of a commit in an upload.
#[derive(Clone, Debug, Default)]
pub struct UploadedPart {
    /// The name of the part.
    pub name: PartName,
    /// Whether the part must not have been measured yet; if it has, nothing is stored.
    pub must_be_new: bool,
    /// The union with the other measured parts, if there are any.
    pub united: Option<United>,
}

/// The statement of an upload about the parts of its commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Announced {
    /// The parts that the commit will have.
    pub expected: PartSet,
    /// The expected parts that count only if they arrive in the language of the upload.
    pub only_here: PartSet,
    /// Whether no further part will come.
    pub is_finished: bool,
    /// A part that will not come, and the reason.
    pub skipped: Option<(PartName, String)>,
    /// How long the record waits for missing parts.
    pub timeout: Duration,
}

impl Announced {
    /// Whether the statement is enough for a request without a coverage file.
    pub fn closes(&self) -> bool {
        self.is_finished || self.skipped.is_some()
    }

    /// Whether the upload states nothing about parts.
    pub fn is_empty(&self) -> bool {
        self.expected.is_empty() && !self.is_finished && self.skipped.is_none()
    }
}

/// The union of an uploaded part with the other measured parts of its commit.
#[derive(Clone, Debug)]
pub struct United {
    /// The other parts, with the times of their uploads. If the stored parts differ, nothing is stored.
    pub others: Vec<(PartName, Timestamp)>,
    /// The union of all parts; `None` if the lines of the others have expired, so that the upload replaces them.
    pub union: Option<Union>,
}

/// The union of several parts.
#[derive(Clone, Debug)]
pub struct Union {
    /// The covered and total lines.
    pub lines: Count,
    /// The branches; `None` unless all parts name all of them in the same way.
    pub branches: Option<Count>,
    /// The details of the record.
    pub details: RecordDetails,
    /// The state of every line.
    pub line_states: NewLines,
    /// The carried parts in the union.
    pub carried: Vec<NewCarried>,
}
