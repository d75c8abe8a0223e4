//! A repository's share of an org's number: covered and total, as integers.

use super::{Mean, Step};
use crate::{Count, Percentage};
use std::ops::{Add, AddAssign};

/// Larger line counts are ignored: no program has a trillion lines, and sums stay in range.
const MAX_LINES: u64 = 1_000_000_000_000;

/// The parts of a percentage in a plain average: the average of up to sixteen languages is then exact.
const PARTS: i128 = 720_720;

/// Covered and total, of lines or of equal parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) covered: i128,
    pub(super) total: i128,
}

/// Whether a line count can be a weight.
pub(super) fn is_weighable(lines: Count) -> bool {
    (1..=MAX_LINES).contains(&lines.total)
}

impl Share {
    /// The share of a repository whose languages have these values; `None` without usable values.
    pub(super) fn of(mean: Mean, values: &[&Step]) -> Option<Self> {
        match mean {
            Mean::Weighted => values
                .iter()
                .filter_map(|step| step.lines)
                .filter(|lines| is_weighable(*lines))
                .map(Self::of_lines)
                .reduce(Add::add),
            Mean::Plain => {
                let known = values.iter().filter_map(|step| step.percentage);
                let count = i128::try_from(known.clone().count())
                    .ok()
                    .filter(|count| *count > 0)?;
                let sum: i128 = known
                    .map(|percentage| i128::from(percentage.basis_points()))
                    .sum();
                Some(Self {
                    covered: sum * PARTS / count,
                    total: i128::from(Percentage::FULL) * PARTS,
                })
            }
        }
    }

    /// The share of a count of lines, or of a sum of such counts.
    pub(super) fn of_lines(lines: Count) -> Self {
        Self {
            covered: i128::from(lines.covered.min(lines.total)),
            total: i128::from(lines.total),
        }
    }

    /// The percentage; `None` if the total is 0.
    pub(super) fn percentage(self) -> Option<Percentage> {
        let part = |part: i128| u128::try_from(part).unwrap_or_default();
        Percentage::of_parts(part(self.covered), part(self.total))
    }

    /// The share as a line count; valid only in a mean weighted by lines.
    pub(super) fn lines(self) -> Count {
        let number = |part: i128| u64::try_from(part).unwrap_or(0);
        Count {
            covered: number(self.covered),
            total: number(self.total),
        }
    }
}

impl Add for Share {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            covered: self.covered + other.covered,
            total: self.total + other.total,
        }
    }
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
