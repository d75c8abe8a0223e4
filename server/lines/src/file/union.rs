//! The union of a source file's lines in two parts.

use super::FileLines;
use crate::{
    branches::Branches,
    line::{Line, State},
};
use std::{cmp::Ordering, vec};

type Rows = vec::IntoIter<(u32, Branches)>;

impl FileLines {
    /// Returns the union of any number of files. Pairs are united first, so that many small files cost no more than sorting.
    #[must_use]
    pub fn union_of(mut files: Vec<Self>) -> Self {
        while files.len() > 1 {
            let mut pairs = std::mem::take(&mut files).into_iter();
            while let Some(mut one) = pairs.next() {
                if let Some(other) = pairs.next() {
                    one.unite(other);
                }
                files.push(one);
            }
        }
        files.pop().unwrap_or_default()
    }

    /// Adds the lines of another part: a line is coverable if it is in any part, with the better of its states and the greater
    /// number of hits. Two partial states become a hit if both list their branches and each branch is covered in at least one of the
    /// parts.
    pub fn unite(&mut self, other: Self) {
        if self.lines.is_empty() {
            *self = other;
            return;
        }
        let ours = std::mem::take(self);
        let (mut our_rows, mut their_rows) =
            (ours.branches.into_iter(), other.branches.into_iter());
        let (mut left, mut right) = (ours.lines.as_slice(), other.lines.as_slice());
        self.lines.reserve(left.len().max(right.len()));
        while let (Some((&our, after_our)), Some((&their, after_their))) =
            (left.split_first(), right.split_first())
        {
            let order = our.number().cmp(&their.number());
            if order.is_le() {
                left = after_our;
            }
            if order.is_ge() {
                right = after_their;
            }
            let has_branches = |line: Line, rows: &Rows| {
                line.state() == State::Partial || is_of(rows.as_slice().first(), line)
            };
            if !has_branches(our, &our_rows) && !has_branches(their, &their_rows) {
                // Most lines take this path.
                self.lines.push(match order {
                    Ordering::Less => our,
                    Ordering::Greater => their,
                    Ordering::Equal => our.joined(their),
                });
                continue;
            }
            let (line, branches) = match order {
                Ordering::Less => with_branches(our, &mut our_rows),
                Ordering::Greater => with_branches(their, &mut their_rows),
                Ordering::Equal => of_line(
                    with_branches(our, &mut our_rows),
                    with_branches(their, &mut their_rows),
                ),
            };
            self.push(line, branches);
        }
        for (rest, rows) in [(left, our_rows), (right, their_rows)] {
            self.lines.extend_from_slice(rest);
            self.branches.extend(rows);
        }
    }
}

/// Returns a line with its branches, which are the next row if the line has any.
fn with_branches(line: Line, rows: &mut Rows) -> (Line, Option<Branches>) {
    let is_next = is_of(rows.as_slice().first(), line);
    let row = if is_next { rows.next() } else { None };
    (line, row.map(|(_, branches)| branches))
}

fn is_of(row: Option<&(u32, Branches)>, line: Line) -> bool {
    row.is_some_and(|(of, _)| *of == line.number())
}

/// Returns the union of one line. If one part alone hits the line, it is a hit, regardless of the branches in the other part.
pub(super) fn of_line(
    (our, our_branches): (Line, Option<Branches>),
    (their, their_branches): (Line, Option<Branches>),
) -> (Line, Option<Branches>) {
    let line = our.joined(their);
    let is_hit =
        |line: Line, branches: &Option<Branches>| line.state() == State::Hit && branches.is_none();
    if is_hit(our, &our_branches) || is_hit(their, &their_branches) {
        return (line, None);
    }
    match (our_branches, their_branches) {
        (Some(ours), Some(theirs)) => match ours.joined(&theirs) {
            Some(branches) => (line.covered(!branches.are_taken()), Some(branches)),
            None => (line.covered(false), None),
        },
        (ours, theirs) => (line, ours.or(theirs)),
    }
}
