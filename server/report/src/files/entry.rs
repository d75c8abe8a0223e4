//! A file of a report while it is read.

use std::sync::Arc;

use super::blocks::Blocks;
use super::distinct::Distinct;
use super::on_lines::OnLines;
use crate::counter::{Counter, Counters};
use crate::report::FileCoverage;

/// The listed and stated counts of a file.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) path: Arc<str>,
    pub(super) lines: Distinct,
    pub(super) branches: Distinct,
    pub(super) functions: Distinct,
    pub(super) blocks: Blocks,
    pub(super) stated: Counters,
    /// None if nothing is known about lines. Boxed, so that files without it are small.
    pub(super) on_lines: Option<Box<OnLines>>,
}

impl Entry {
    /// Returns the counts. Listed things take precedence over stated counts, because in a repeated file they count only once.
    pub(super) fn counters(&mut self) -> Counters {
        let mut counters = self.stated.clone();
        for (counter, listed) in [
            (Counter::Line, self.lines.count().plus(self.blocks.lines())),
            (Counter::Statement, self.blocks.statements()),
            (Counter::Branch, self.branches.count()),
            (Counter::Function, self.functions.count()),
        ] {
            if let Some(count) = listed.non_empty() {
                counters.set(counter, count);
            }
        }
        counters
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.lines.merge(other.lines);
        self.branches.merge(other.branches);
        self.functions.merge(other.functions);
        self.blocks.merge(other.blocks);
        self.stated.add_all(&other.stated);
        if let Some(other) = other.on_lines {
            self.on_lines.get_or_insert_default().merge(*other);
        }
    }

    pub(super) fn into_coverage(mut self, with_lines: bool) -> FileCoverage {
        if with_lines {
            let on_lines = self.on_lines.get_or_insert_default();
            self.blocks.append_hits(&mut on_lines.hits);
        }
        let counters = self.counters().non_empty();
        let on_lines = self.on_lines.take().unwrap_or_default();
        let (lines, partial) = on_lines.into_lines();
        FileCoverage {
            path: self.path.as_ref().to_owned(),
            counters,
            lines,
            partial,
        }
    }
}
