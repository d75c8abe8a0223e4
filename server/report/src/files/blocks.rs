//! Blocks of statements, which may come twice and count once, by the stretch of source that they span.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::table::Table;
use crate::count::Count;

/// A stretch of source: line and column of its start, line and column of its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) start: (u32, u32),
    pub(crate) end: (u32, u32),
}

/// Blocks in the order of their spans, so that lines that several of them span are counted in one sweep.
#[derive(Debug, Default)]
pub(super) struct Blocks(BTreeMap<Span, Block>);

#[derive(Debug, Default, Clone, Copy)]
struct Block {
    statements: u32,
    hits: u64,
}

/// What a block costs in the map, nodes that are not full included.
const BLOCK_BYTES: usize = 64;

/// What the first costs in addition: a node for eleven.
const FIRST_BYTES: usize = 320;

/// What a line costs whose hits will be asked for.
const LINE_BYTES: usize = 16;

impl Blocks {
    /// Adds a block and tells how many more bytes are kept for it. Of one that comes twice, the greater numbers count.
    /// `with_lines` counts in what [`Blocks::append_hits`] will add.
    pub(super) fn add(
        &mut self,
        span: Span,
        statements: u32,
        hits: u64,
        with_lines: bool,
    ) -> usize {
        let mut bytes = 0;
        let first = if self.0.is_empty() { FIRST_BYTES } else { 0 };
        let block = self.0.entry(span).or_insert_with(|| {
            bytes = BLOCK_BYTES + first;
            if with_lines {
                bytes = bytes.saturating_add(span.height().saturating_mul(LINE_BYTES));
            }
            Block::default()
        });
        block.statements = block.statements.max(statements);
        block.hits = block.hits.max(hits);
        bytes
    }

    /// A block is covered as a whole: all of its statements, or none.
    pub(super) fn statements(&self) -> Count {
        self.0.values().fold(Count::ZERO, |count, block| {
            let statements = u64::from(block.statements);
            let covered = if block.hits > 0 { statements } else { 0 };
            count.plus(Count::of_missed(covered, statements - covered))
        })
    }

    /// The lines that blocks span, each covered if any block on it is.
    pub(super) fn lines(&self) -> Count {
        let covered = self.0.iter().filter(|(_, block)| block.hits > 0);
        let covered = lines_within(covered.map(|(span, _)| span));
        Count::of_missed(covered, lines_within(self.0.keys()) - covered)
    }

    /// Appends the lines that blocks span, a line once for each block on it.
    pub(super) fn append_hits(&self, to: &mut Table<u64>) {
        for (span, &Block { hits, .. }) in &self.0 {
            for line in span.lines() {
                to.add(u64::from(line), hits);
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (span, block) in other.0 {
            self.add(span, block.statements, block.hits, false);
        }
    }
}

impl Span {
    fn lines(self) -> RangeInclusive<u32> {
        self.start.0..=self.end.0
    }

    fn height(self) -> usize {
        let lines = u64::from(self.end.0) + 1;
        usize::try_from(lines.saturating_sub(u64::from(self.start.0))).unwrap_or(usize::MAX)
    }
}

/// How many lines are in any of the spans, which come in order.
fn lines_within<'s>(spans: impl Iterator<Item = &'s Span>) -> u64 {
    let (mut lines, mut next) = (0, 0);
    for span in spans {
        let (first, after) = (u64::from(span.start.0).max(next), u64::from(span.end.0) + 1);
        lines += after.saturating_sub(first);
        next = next.max(after);
    }
    lines
}
