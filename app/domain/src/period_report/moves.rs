//! The largest losses and gains in a period.

use super::{Bounded, ReportRow};
use crate::{Change, Count, Movement, Percentage, Repository, State};
use std::{cmp::Reverse, collections::BTreeSet};

/// The most losses, and the most gains.
const ROWS: usize = 5;

/// An owner or a repository whose percentage changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovedRow<T> {
    /// The owner, or the repository.
    pub of: T,
    /// Its percentage at the beginning.
    pub start: Percentage,
    /// Its percentage at the end.
    pub end: Percentage,
    /// Its lines at the end, if known.
    pub lines: Option<Count>,
}

/// Losses and gains. The first ones have the largest product of change and lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moves<T> {
    /// The largest losses.
    pub losses: Bounded<MovedRow<T>>,
    /// The largest gains.
    pub gains: Bounded<MovedRow<T>>,
}

impl<T> MovedRow<T> {
    /// From the beginning to the end.
    pub fn change(&self) -> Change {
        Change::between(self.start, self.end)
    }

    fn size(&self) -> u128 {
        let lines = self.lines.map_or(0, |lines| lines.total);
        u128::from(self.change().basis_points().unsigned_abs()) * u128::from(lines)
    }
}

impl<T: Clone> MovedRow<T> {
    pub(super) fn of_counts(row: &ReportRow<T>) -> Option<Self> {
        let counts = row.counts?;
        Some(Self {
            of: row.of.clone(),
            start: Percentage::of(counts.before?)?,
            end: counts.percentage()?,
            lines: Some(counts.now.lines),
        })
    }
}

impl MovedRow<Repository> {
    pub(super) fn of_movement(row: &Movement) -> Option<Self> {
        (row.state == State::Kept).then_some(())?;
        row.change?;
        Some(Self {
            of: row.repository.clone(),
            start: row.start?,
            end: row.end?,
            lines: row.lines,
        })
    }
}

impl<T> Moves<T> {
    pub(super) fn of(rows: impl Iterator<Item = MovedRow<T>>) -> Self {
        let mut rows: Vec<_> = rows.filter(|row| row.start != row.end).collect();
        rows.sort_by_key(|row| Reverse(row.size()));
        let (losses, gains) = rows.into_iter().partition(|row| row.end < row.start);
        Self {
            losses: Bounded::of(losses, ROWS),
            gains: Bounded::of(gains, ROWS),
        }
    }

    /// The losses, then the gains.
    pub fn rows(&self) -> impl Iterator<Item = &MovedRow<T>> {
        self.losses.rows.iter().chain(&self.gains.rows)
    }

    /// Losses and gains, the largest first.
    pub fn largest(&self) -> Vec<&MovedRow<T>> {
        let mut rows: Vec<_> = self.rows().collect();
        rows.sort_by_key(|row| Reverse(row.size()));
        rows
    }
}

impl Moves<Repository> {
    /// Repositories count like owners: from their first record, if it came in the period. Without counts of lines, a repository
    /// needs a value at both ends.
    pub(super) fn of_repositories<'a>(
        rows: &[ReportRow<Repository>],
        movements: impl Iterator<Item = &'a Movement>,
    ) -> Self {
        let counted: Vec<_> = rows.iter().filter_map(MovedRow::of_counts).collect();
        let known: BTreeSet<_> = counted.iter().map(|row| row.of.clone()).collect();
        let others = movements.filter(|row| !known.contains(&row.repository));
        Self::of(
            counted
                .into_iter()
                .chain(others.filter_map(MovedRow::of_movement)),
        )
    }
}

impl<T> Default for Moves<T> {
    fn default() -> Self {
        Self::of(std::iter::empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileSum, ViewCounts};

    #[test]
    fn a_repository_that_came_in_the_period_counts_from_its_first_record() {
        let count = |covered| Count { covered, total: 10 };
        let row = |name: &str, counts| ReportRow {
            of: name.parse().expect("a repository"),
            counts,
        };
        let counts = ViewCounts {
            now: FileSum {
                lines: count(8),
                ..FileSum::default()
            },
            before: Some(count(5)),
            new: None,
        };
        let movement = |name: &str, state| {
            let [start, end] = [50, 40].map(|whole| Some(Percentage::from_basis_points(whole)));
            Movement {
                repository: name.parse().expect("a repository"),
                state,
                start,
                end,
                change: start
                    .zip(end)
                    .map(|(start, end)| Change::between(start, end)),
                contribution: None,
                lines: None,
                last: None,
                is_stale: false,
            }
        };
        let rows = [row("acme/web", Some(counts)), row("acme/app", None)];
        let movements = [
            movement("acme/web", State::New),
            movement("acme/app", State::Kept),
            movement("acme/api", State::New),
        ];
        let moves = Moves::of_repositories(&rows, movements.iter());
        let names = |rows: &Bounded<MovedRow<Repository>>| {
            let names = rows.rows.iter().map(|row| row.of.to_string());
            names.collect::<Vec<_>>()
        };
        assert_eq!(names(&moves.gains), ["acme/web"]);
        assert_eq!(names(&moves.losses), ["acme/app"]);
    }
}
