//! The data about each line of a file. It is kept only if lines are requested.

use super::table::{Table, Value};
use crate::count::Count;
use crate::report::{BranchName, LineHits, PartialLine};

/// Hits and branches by line.
#[derive(Debug, Default)]
pub(super) struct OnLines {
    pub(super) hits: Table<u64, u64>,
    /// Numbers of branches.
    counts: Table<u32, Taken>,
    /// Whether a branch was taken, by its line and name.
    named: Table<(u32, BranchName), bool>,
}

/// The number of taken branches of a line. A total of 0 means that some were missed and the report has no numbers.
#[derive(Debug, Default, Clone, Copy)]
struct Taken {
    taken: u32,
    total: u32,
}

impl Value for Taken {
    fn or(self, other: Self) -> Self {
        Self {
            taken: self.taken.max(other.taken),
            total: self.total.max(other.total),
        }
    }
}

impl Value for bool {
    fn or(self, other: Self) -> Self {
        self || other
    }
}

impl OnLines {
    /// Adds numbers of branches, and returns the additional bytes of memory. If a line is repeated, the greater numbers count.
    pub(super) fn add_branches(&mut self, line: u32, count: Count) -> usize {
        let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let (taken, total) = (number(count.covered()), number(count.total()));
        self.counts.add(line, Taken { taken, total })
    }

    /// Adds a branch, and returns the additional bytes of memory. A repeated branch was taken if any repetition was.
    pub(super) fn add_branch(&mut self, line: u32, name: BranchName, is_taken: bool) -> usize {
        self.named.add((line, name), is_taken)
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.hits.merge(other.hits);
        self.counts.merge(other.counts);
        self.named.merge(other.named);
    }

    /// The hits of all lines, and the lines that ran without all their branches.
    pub(super) fn into_lines(self) -> (Vec<LineHits>, Vec<PartialLine>) {
        let hits = self.hits.into_rows().into_iter();
        let hits = hits.filter_map(|(line, hits)| {
            let line = u32::try_from(line).ok()?;
            Some(LineHits { line, hits })
        });
        let hits: Vec<_> = hits.collect();
        let mut partial = partial_lines(self.counts, self.named);
        partial.retain(|partial| {
            let found = hits.binary_search_by_key(&partial.line, |hits| hits.line);
            found.is_ok_and(|index| hits[index].hits > 0)
        });
        (hits, partial)
    }
}

/// The lines with a missed branch.
fn partial_lines(
    counts: Table<u32, Taken>,
    named: Table<(u32, BranchName), bool>,
) -> Vec<PartialLine> {
    let mut counts = counts.into_rows().into_iter().peekable();
    let named = named.into_rows();
    let mut partial: Vec<PartialLine> = Vec::new();
    for branches in named.chunk_by(|((line, _), _), ((next, _), _)| line == next) {
        let Some(&((line, _), _)) = branches.first() else {
            continue;
        };
        while let Some((line, taken)) = counts.next_if(|(counted, _)| *counted < line) {
            partial.extend(unnamed(line, taken));
        }
        let counted = counts.next_if(|(counted, _)| *counted == line);
        partial.extend(with_names(line, counted.map(|(_, taken)| taken), branches));
    }
    partial.extend(counts.filter_map(|(line, taken)| unnamed(line, taken)));
    partial
}

fn unnamed(line: u32, Taken { taken, total }: Taken) -> Option<PartialLine> {
    (taken < total || total == 0).then_some(PartialLine {
        line,
        taken,
        total,
        missed: Vec::new(),
        reached: Vec::new(),
    })
}

/// If the report also has numbers, it may name only the missed branches. Names count if they are as many as the missed branches,
/// and names of taken branches if they are as many as the taken branches.
fn with_names(
    line: u32,
    counted: Option<Taken>,
    branches: &[((u32, BranchName), bool)],
) -> Option<PartialLine> {
    let names = |wanted: bool| -> Vec<BranchName> {
        let names = branches.iter().filter(|(_, is_taken)| *is_taken == wanted);
        names.map(|((_, name), _)| *name).collect()
    };
    let (missed, reached) = (names(false), names(true));
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let listed = Taken {
        taken: number(reached.len()),
        total: number(branches.len()),
    };
    let counted = counted
        .filter(|counted| counted.total > 0)
        .unwrap_or(listed);
    let partial = unnamed(line, counted)?;
    let agree = number(missed.len()) == partial.total - partial.taken;
    let are_all = agree && number(reached.len()) == partial.taken;
    Some(PartialLine {
        missed: if agree { missed } else { Vec::new() },
        reached: if are_all { reached } else { Vec::new() },
        ..partial
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Scheme;

    fn name(number: u32) -> BranchName {
        BranchName::new(Scheme::Numbers, number)
    }

    fn count(covered: u64, total: u64) -> Count {
        Count::new(covered, total).expect("no more than all")
    }

    /// Line 1 ran twice, with these branches.
    fn partial(add: impl FnOnce(&mut OnLines)) -> Vec<PartialLine> {
        let mut on_lines = OnLines::default();
        on_lines.hits.add(1, 2);
        add(&mut on_lines);
        on_lines.into_lines().1
    }

    fn line_1(taken: u32, total: u32, missed: &[u32], reached: &[u32]) -> Vec<PartialLine> {
        let names = |numbers: &[u32]| numbers.iter().map(|&number| name(number)).collect();
        vec![PartialLine {
            line: 1,
            taken,
            total,
            missed: names(missed),
            reached: names(reached),
        }]
    }

    #[test]
    fn a_line_of_which_all_branches_were_taken_is_not_partial() {
        let lines = partial(|on_lines| {
            on_lines.add_branches(1, count(2, 2));
            on_lines.add_branch(1, name(0), true);
        });
        assert_eq!(lines, []);
    }

    #[test]
    fn named_branches_are_counted_where_there_are_no_numbers() {
        let lines = partial(|on_lines| {
            for (number, is_taken) in [(0, true), (1, false), (2, false), (2, true)] {
                on_lines.add_branch(1, name(number), is_taken);
            }
        });
        assert_eq!(lines, line_1(2, 3, &[1], &[0, 2]));
    }

    #[test]
    fn a_report_with_numbers_names_only_what_was_missed() {
        let lines = partial(|on_lines| {
            on_lines.add_branches(1, count(2, 3));
            on_lines.add_branch(1, name(7), false);
        });
        assert_eq!(lines, line_1(2, 3, &[7], &[]));
    }

    #[test]
    fn names_that_contradict_the_numbers_are_dropped() {
        let lines = partial(|on_lines| {
            on_lines.add_branches(1, count(2, 3));
            on_lines.add_branch(1, name(7), false);
            on_lines.add_branch(1, name(8), false);
        });
        assert_eq!(lines, line_1(2, 3, &[], &[]));
    }

    #[test]
    fn a_line_may_be_partial_without_numbers() {
        let lines = partial(|on_lines| {
            on_lines.add_branches(1, Count::ZERO);
        });
        assert_eq!(lines, line_1(0, 0, &[], &[]));
        let with_all = partial(|on_lines| {
            on_lines.add_branches(1, Count::ZERO);
            on_lines.add_branches(1, count(2, 2));
        });
        assert_eq!(with_all, []);
    }

    #[test]
    fn named_branches_are_counted_where_the_numbers_are_unknown() {
        let lines = partial(|on_lines| {
            on_lines.add_branches(1, Count::ZERO);
            on_lines.add_branch(1, name(0), true);
            on_lines.add_branch(1, name(1), false);
        });
        assert_eq!(lines, line_1(1, 2, &[1], &[0]));
    }

    #[test]
    fn lines_that_did_not_run_are_not_partial() {
        let mut on_lines = OnLines::default();
        on_lines.hits.add(1, 0);
        on_lines.add_branches(1, count(0, 2));
        on_lines.add_branch(2, name(0), false);
        on_lines.add_branches(3, count(1, 2));
        assert_eq!(on_lines.into_lines().1, []);
    }

    #[test]
    fn lines_with_and_without_names_are_in_order() {
        let mut on_lines = OnLines::default();
        for line in 1..=5 {
            on_lines.hits.add(line, 1);
        }
        for line in [1, 3, 5] {
            on_lines.add_branches(line, count(1, 2));
        }
        for line in [2, 3, 4] {
            on_lines.add_branch(line, name(9), false);
        }
        let (_, partial) = on_lines.into_lines();
        let lines: Vec<_> = partial
            .iter()
            .map(|at| (at.line, at.missed.len()))
            .collect();
        assert_eq!(lines, [(1, 0), (2, 1), (3, 1), (4, 1), (5, 0)]);
    }
}
