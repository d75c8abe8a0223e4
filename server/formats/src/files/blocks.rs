//! Blocks of statements by their span in the source. A repeated block counts once.

use std::ops::RangeInclusive;

use super::table::{Table, Value};
use crate::count::Count;

/// A range of source: line and column of its start, line and column of its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) start: (u32, u32),
    pub(crate) end: (u32, u32),
}

/// Blocks in the order of their spans, so that lines in several spans are counted in one pass.
#[derive(Debug, Default)]
pub(super) struct Blocks(Table<Span, Block>);

#[derive(Debug, Default, Clone, Copy)]
struct Block {
    statements: u32,
    hits: u64,
}

impl Value for Block {
    fn or(self, other: Self) -> Self {
        Self {
            statements: self.statements.max(other.statements),
            hits: self.hits.max(other.hits),
        }
    }
}

/// The bytes of a line whose hits are requested.
const LINE_BYTES: usize = 16;

impl Blocks {
    /// Adds a block. If a block is repeated, the greater numbers count. Returns the additional bytes of memory; with
    /// `with_lines`, also the bytes that [`Blocks::append_hits`] will add.
    pub(super) fn add(
        &mut self,
        span: Span,
        statements: u32,
        hits: u64,
        with_lines: bool,
    ) -> (usize, usize) {
        let is_new = with_lines && !self.0.knows(&span);
        let bytes = self.0.add(span, Block { statements, hits });
        let of_lines = match is_new {
            true => span.lines().count().saturating_mul(LINE_BYTES),
            false => 0,
        };
        (bytes, of_lines)
    }

    /// A block is covered as a whole: all of its statements, or none.
    pub(super) fn statements(&mut self) -> Count {
        let rows = self.0.rows().iter();
        rows.fold(Count::ZERO, |count, (_, block)| {
            let statements = u64::from(block.statements);
            let covered = if block.hits > 0 { statements } else { 0 };
            count.plus(Count::of_missed(covered, statements - covered))
        })
    }

    /// The lines in the spans of blocks. A line is covered if any block on it is.
    pub(super) fn lines(&mut self) -> Count {
        let rows = self.0.rows();
        let covered = rows.iter().filter(|(_, block)| block.hits > 0);
        let covered = lines_within(covered.map(|(span, _)| span));
        let all = lines_within(rows.iter().map(|(span, _)| span));
        Count::of_missed(covered, all - covered)
    }

    /// Appends the lines in the spans of blocks, a line once for each block on it.
    pub(super) fn append_hits(&mut self, to: &mut Table<u32, u64>) {
        for &(span, Block { hits, .. }) in self.0.rows() {
            for line in span.lines() {
                to.add(line, hits);
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.0.merge(other.0);
    }
}

impl Span {
    /// Line 0 is no line.
    fn lines(self) -> RangeInclusive<u32> {
        self.start.0.max(1)..=self.end.0
    }
}

/// The number of lines in any of the spans, which are in order.
fn lines_within<'s>(spans: impl Iterator<Item = &'s Span>) -> u64 {
    let (mut lines, mut next) = (0, 1);
    for span in spans {
        let (first, after) = (u64::from(span.start.0).max(next), u64::from(span.end.0) + 1);
        lines += after.saturating_sub(first);
        next = next.max(after);
    }
    lines
}
