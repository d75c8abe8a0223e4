//! Hits and branches by line, and which lines are partial. They are kept only if lines are requested.

use super::table::{Table, Value};
use crate::count::Count;
use crate::report::{BranchName, LineHits, NamedBranch, PartialLine, TestedLine};

/// Hits and branches by line.
#[derive(Debug, Default)]
pub(super) struct OnLines {
    pub(super) hits: Table<u32, u64>,
    /// Numbers of branches.
    counts: Table<u32, Taken>,
    /// Whether a branch was taken, by its line and name.
    named: Table<(u32, BranchName), bool>,
    /// Which tests ran lines, in the order of the report.
    pub(super) tests: Vec<TestedLine>,
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
        self.tests.extend(other.tests);
    }

    /// The hits of all lines, the lines that ran without all their branches, and all branches that have names.
    pub(super) fn into_lines(self) -> (Vec<LineHits>, Vec<PartialLine>, Vec<NamedBranch>) {
        let hits = self.hits.into_rows().into_iter();
        let hits: Vec<_> = hits.map(|(line, hits)| LineHits { line, hits }).collect();
        let (counts, all_named) = (self.counts.into_rows(), self.named.into_rows());
        let (mut counts, mut named) = (counts.as_slice(), all_named.as_slice());
        let ran = hits.iter().filter(|on_line| on_line.hits > 0);
        let partial = ran.filter_map(|&LineHits { line, .. }| {
            let counted = rows_of(line, &mut counts, |(of, _)| *of);
            let branches = rows_of(line, &mut named, |((of, _), _)| *of);
            partial_line(line, counted.first(), branches)
        });
        let partial = partial.collect();
        let named = all_named.into_iter();
        let named = named.map(|((line, name), is_taken)| NamedBranch {
            line,
            name,
            is_taken,
        });
        (hits, partial, named.collect())
    }
}

/// Removes the rows up to a line, and returns the rows of this line.
fn rows_of<'r, R>(line: u32, rows: &mut &'r [R], line_of: impl Fn(&R) -> u32) -> &'r [R] {
    // Most lines have no branches.
    if rows.first().is_none_or(|row| line_of(row) > line) {
        return &[];
    }
    let before = rows.iter().take_while(|row| line_of(row) < line).count();
    let rest = &rows[before..];
    let of_line = rest.iter().take_while(|row| line_of(row) == line).count();
    let (of_line, rest) = rest.split_at(of_line);
    *rows = rest;
    of_line
}

/// A line with a missed branch. If the report also has numbers, it may name only the missed branches. Names count if they are as
/// many as the missed branches, and names of taken branches if they are as many as the taken branches.
fn partial_line(
    line: u32,
    counted: Option<&(u32, Taken)>,
    branches: &[((u32, BranchName), bool)],
) -> Option<PartialLine> {
    if counted.is_none() && branches.is_empty() {
        return None;
    }
    let names = |wanted: bool| -> Vec<BranchName> {
        let names = branches.iter().filter(|(_, is_taken)| *is_taken == wanted);
        names.map(|((_, name), _)| *name).collect()
    };
    let (mut missed, mut reached) = (names(false), names(true));
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let (of_missed, of_reached) = (number(missed.len()), number(reached.len()));
    let counted = counted.filter(|(_, counted)| counted.total > 0);
    let (taken, total) = match counted {
        Some((_, Taken { taken, total })) => (*taken, *total),
        None => (of_reached, number(branches.len())),
    };
    if taken >= total && total > 0 {
        return None;
    }
    if of_missed != total - taken {
        missed.clear();
        reached.clear();
    }
    if of_reached != taken {
        reached.clear();
    }
    Some(PartialLine {
        line,
        taken,
        total,
        missed,
        reached,
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
        let (_, partial, _) = on_lines.into_lines();
        let lines: Vec<_> = partial
            .iter()
            .map(|at| (at.line, at.missed.len()))
            .collect();
        assert_eq!(lines, [(1, 0), (2, 1), (3, 1), (4, 1), (5, 0)]);
    }
}
