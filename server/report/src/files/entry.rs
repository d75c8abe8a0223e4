//! A file of a report while it is read.

use std::sync::Arc;

use super::blocks::Blocks;
use super::distinct::Distinct;
use super::table::Table;
use crate::counter::{Counter, Counters};
use crate::report::{FileCoverage, LineHits};

/// The listed and stated counts of a file.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub(super) path: Arc<str>,
    pub(super) lines: Distinct,
    pub(super) branches: Distinct,
    pub(super) functions: Distinct,
    pub(super) blocks: Blocks,
    pub(super) stated: Counters,
    pub(super) hits: Table<u64, u64>,
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
        self.hits.merge(other.hits);
    }

    pub(super) fn into_coverage(mut self, with_lines: bool) -> FileCoverage {
        if with_lines {
            self.blocks.append_hits(&mut self.hits);
        }
        FileCoverage {
            counters: self.counters().non_empty(),
            path: self.path.as_ref().to_owned(),
            lines: lines_of(self.hits),
        }
    }
}

fn lines_of(hits: Table<u64, u64>) -> Vec<LineHits> {
    let rows = hits.into_rows().into_iter();
    let lines = rows.filter_map(|(line, hits)| {
        let line = u32::try_from(line).ok()?;
        Some(LineHits { line, hits })
    });
    lines.collect()
}
