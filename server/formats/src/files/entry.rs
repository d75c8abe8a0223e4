//! A file of a report while it is read.

use super::blocks::Blocks;
use super::distinct::Distinct;
use super::on_lines::OnLines;
use crate::count::Count;
use crate::counter::{Counter, Counters};
use crate::report::FileCoverage;

/// The listed and stated counts of a file.
///
/// Data that only some formats have is boxed, so that entries are small: a report may have very many.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) path: String,
    pub(super) stated: Counters,
    /// `None` if nothing is listed.
    pub(super) listed: Option<Box<Listed>>,
    /// `None` if nothing is known about lines.
    pub(super) on_lines: Option<Box<OnLines>>,
}

/// The things that a report lists of a file.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub(super) lines: Distinct,
    pub(super) branches: Distinct,
    pub(super) functions: Distinct,
    pub(super) blocks: Blocks,
}

impl Entry {
    #[inline]
    pub(super) fn listed(&mut self) -> &mut Listed {
        self.listed.get_or_insert_default()
    }

    /// All counts. Listed things take precedence over stated counts, because in a repeated file they count only once.
    pub(super) fn counters(&mut self) -> Counters {
        let mut counters = self.stated.clone();
        for (counter, count) in self.listed.iter_mut().flat_map(|listed| listed.counts()) {
            if count.total() > 0 {
                counters.set(counter, count);
            }
        }
        counters
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.stated.add_all(&other.stated);
        match (&mut self.listed, other.listed) {
            (Some(listed), Some(other)) => listed.merge(*other),
            (listed @ None, other) => *listed = other,
            (_, None) => {}
        }
        if let Some(other) = other.on_lines {
            self.on_lines.get_or_insert_default().merge(*other);
        }
    }

    pub(super) fn into_coverage(mut self, with_lines: bool) -> FileCoverage {
        if let Some(listed) = self.listed.as_mut().filter(|_| with_lines) {
            let on_lines = self.on_lines.get_or_insert_default();
            listed.blocks.append_hits(&mut on_lines.hits);
        }
        let counters = self.counters().non_empty();
        let tests = self
            .on_lines
            .as_mut()
            .map(|on_lines| std::mem::take(&mut on_lines.tests));
        let on_lines = self.on_lines.map(|on_lines| on_lines.into_lines());
        let (lines, partial, mut branches) = on_lines.unwrap_or_default();
        let of_names = Count::new(
            branches.iter().filter(|branch| branch.is_taken).count() as u64,
            branches.len() as u64,
        );
        if of_names != counters.get(Counter::Branch) {
            branches = Vec::new();
        }
        FileCoverage {
            path: self.path,
            counters,
            lines,
            partial,
            branches,
            tests: tests.unwrap_or_default(),
        }
    }
}

impl Listed {
    fn counts(&mut self) -> [(Counter, Count); 4] {
        let lines = self.lines.count().plus(self.blocks.lines());
        [
            (Counter::Line, lines),
            (Counter::Statement, self.blocks.statements()),
            (Counter::Branch, self.branches.count()),
            (Counter::Function, self.functions.count()),
        ]
    }

    fn merge(&mut self, other: Self) {
        self.lines.merge(other.lines);
        self.branches.merge(other.branches);
        self.functions.merge(other.functions);
        self.blocks.merge(other.blocks);
    }
}
