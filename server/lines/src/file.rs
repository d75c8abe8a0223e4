//! The coverable lines of one source file.

mod union;

use crate::{
    branches::Branches,
    counts::Counts,
    line::{Line, MAX_LINE, State, add_to_ranges},
};
use std::ops::RangeInclusive;

/// The coverable lines of a source file, in ascending order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileLines {
    lines: Vec<Line>,
    /// The branches of partial lines, by line, if the report has their numbers. In a union, lines that only two parts together
    /// hit also have branches: another part may name more.
    pub(crate) branches: Vec<(u32, Branches)>,
}

impl FileLines {
    /// Whether both have the same coverable lines: then the file has probably not changed.
    pub(crate) fn has_lines_of(&self, other: &Self) -> bool {
        let (lines, others) = (&self.lines, &other.lines);
        lines.len() == others.len()
            && lines
                .iter()
                .zip(others)
                .all(|(one, other)| one.number() == other.number())
    }

    /// All lines.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The branches of a partial line, if the report has their numbers.
    pub fn branches(&self, line: u32) -> Option<&Branches> {
        let found = self.branches.binary_search_by_key(&line, |&(line, _)| line);
        let branches = found.ok().map(|index| &self.branches[index].1);
        branches.filter(|branches| !branches.are_taken())
    }

    /// The state of a line. `None` if it is not coverable.
    pub fn state(&self, line: u32) -> Option<State> {
        let found = self.lines.binary_search_by_key(&line, |at| at.number());
        found.ok().map(|index| self.lines[index].state())
    }

    /// The number of lines in each state.
    pub fn counts(&self) -> Counts {
        Counts::of(&self.lines)
    }

    pub(crate) fn in_state(&self, state: State) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| line.state() == state)
    }

    /// The lines with this state. Consecutive lines form one range.
    pub fn ranges(&self, state: State) -> Vec<RangeInclusive<u32>> {
        let mut ranges = Vec::new();
        for line in self.in_state(state) {
            add_to_ranges(&mut ranges, line.number());
        }
        ranges
    }

    /// The lines from `first` up to the line before `end`.
    pub(crate) fn between(&self, first: u32, end: u32) -> &[Line] {
        let place = |line: u32| self.lines.partition_point(|at| at.number() < line);
        let (from, to) = (place(first), place(end));
        self.lines.get(from..to).unwrap_or_default()
    }

    pub(crate) fn with_capacity(lines: usize) -> Self {
        Self {
            lines: Vec::with_capacity(lines),
            branches: Vec::new(),
        }
    }

    /// The branches of all partial lines whose numbers are known, by line.
    pub(crate) fn all_branches(&self) -> impl Iterator<Item = &(u32, Branches)> {
        let rows = self.branches.iter();
        rows.filter(|(_, branches)| !branches.are_taken())
    }

    /// The lines as decoding returns them: without the branches of lines that only two parts together hit.
    #[must_use]
    pub fn as_stored(mut self) -> Self {
        self.branches.retain(|(_, branches)| !branches.are_taken());
        self
    }

    pub(crate) fn names(&self) -> usize {
        let rows = self.branches.iter();
        rows.map(|(_, branches)| branches.names()).sum()
    }

    #[inline]
    pub(crate) fn push(&mut self, line: Line, branches: Option<Branches>) {
        if line.state() != State::Missed
            && let Some(branches) = branches
        {
            self.branches.push((line.number(), branches));
        }
        self.lines.push(line);
    }
}

/// Lines without branches, as most files have them.
impl FromIterator<Line> for FileLines {
    fn from_iter<I: IntoIterator<Item = Line>>(lines: I) -> Self {
        let lines: Vec<Line> = lines.into_iter().collect();
        let are_in_order = lines.is_sorted_by(|one, next| one.number() < next.number());
        let ends = lines.first().zip(lines.last());
        if are_in_order
            && ends.is_none_or(|(first, last)| first.number() > 0 && last.number() <= MAX_LINE)
        {
            return Self {
                lines,
                branches: Vec::new(),
            };
        }
        lines.into_iter().map(|line| (line, None)).collect()
    }
}

/// Lines in any order. Repetitions of a line are united. Lines from 1 to [`MAX_LINE`] are kept.
impl FromIterator<(Line, Option<Branches>)> for FileLines {
    fn from_iter<I: IntoIterator<Item = (Line, Option<Branches>)>>(lines: I) -> Self {
        let lines = lines.into_iter();
        let of_partial = |line: Line, branches: Option<Branches>| {
            branches.filter(|_| line.state() == State::Partial)
        };
        let mut lines: Vec<_> = lines
            .filter(|(line, _)| (1..=MAX_LINE).contains(&line.number()))
            .map(|(line, branches)| (line, of_partial(line, branches)))
            .collect();
        lines.sort_by_key(|(line, _)| line.number());
        let mut file = Self::default();
        file.lines.reserve_exact(lines.len());
        let mut lines = lines.into_iter().peekable();
        while let Some((mut line, mut branches)) = lines.next() {
            while let Some(same) = lines.next_if(|(next, _)| next.number() == line.number()) {
                (line, branches) = union::of_line((line, branches), same);
            }
            file.push(line, of_partial(line, branches));
        }
        file
    }
}
