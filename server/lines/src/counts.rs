//! Numbers of lines by state.

use crate::line::{Line, State};
use std::{iter::Sum, ops::AddAssign};

/// The number of lines in each state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines that did not run.
    pub missed: u64,
    /// Lines that ran without all their branches.
    pub partial: u64,
    /// Lines that ran with all their branches.
    pub hit: u64,
}

impl Counts {
    /// The number of lines that ran.
    pub fn covered(self) -> u64 {
        self.partial + self.hit
    }

    /// The number of coverable lines.
    pub fn coverable(self) -> u64 {
        self.missed + self.covered()
    }

    pub(crate) fn add_line(&mut self, state: State) {
        match state {
            State::Missed => self.missed += 1,
            State::Partial => self.partial += 1,
            State::Hit => self.hit += 1,
        }
    }

    pub(crate) fn of(lines: &[Line]) -> Self {
        let of = |state| lines.iter().filter(|line| line.state() == state).count() as u64;
        Self {
            missed: of(State::Missed),
            partial: of(State::Partial),
            hit: of(State::Hit),
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.missed += other.missed;
        self.partial += other.partial;
        self.hit += other.hit;
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        let mut sum = Self::default();
        counts.for_each(|counts| sum += counts);
        sum
    }
}
