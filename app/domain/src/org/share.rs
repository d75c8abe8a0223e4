//! What a repository brings to an organisation's number: so much covered of so much in total, as integers.

use super::{Mean, Step};
use crate::{Count, Percentage};
use std::ops::{Add, AddAssign};

/// Lines of one report beyond which a count is not believed: no program has a trillion of them, and sums stay in range.
const MAX_LINES: u64 = 1_000_000_000_000;

/// The parts that a percentage is divided into where each repository counts the same: the average of up to sixteen
/// languages is then exact.
const PARTS: i128 = 720_720;

/// Covered and total, of lines or of equal parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) covered: i128,
    pub(super) total: i128,
}

/// Whether a count of lines can be a weight.
pub(super) fn is_weighable(lines: Count) -> bool {
    (1..=MAX_LINES).contains(&lines.total)
}

impl Share {
    /// What a repository brings whose languages have these values; none where there is none of them.
    pub(super) fn of(mean: Mean, values: &[&Step]) -> Option<Self> {
        match mean {
            Mean::Weighted => values
                .iter()
                .filter_map(|step| step.lines)
                .filter(|lines| is_weighable(*lines))
                .map(|lines| Self {
                    covered: i128::from(lines.covered.min(lines.total)),
                    total: i128::from(lines.total),
                })
                .reduce(Add::add),
            Mean::Plain => {
                let count = i128::try_from(values.len())
                    .ok()
                    .filter(|count| *count > 0)?;
                let sum: i128 = values
                    .iter()
                    .map(|step| i128::from(step.percentage.basis_points()))
                    .sum();
                Some(Self {
                    covered: sum * PARTS / count,
                    total: i128::from(Percentage::FULL) * PARTS,
                })
            }
        }
    }

    /// Covered of total; none where there is nothing to cover. Rounded to half away from zero, and only full coverage
    /// reads 100.00, only none 0.00.
    pub(super) fn percentage(self) -> Option<Percentage> {
        if self.total <= 0 {
            return None;
        }
        let full = i128::from(Percentage::FULL);
        let rounded = (2 * full * self.covered + self.total) / (2 * self.total);
        let shown = match self.covered {
            0 => 0,
            covered if covered >= self.total => full,
            _ => rounded.clamp(1, full - 1),
        };
        Some(Percentage::from_basis_points(
            u16::try_from(shown).unwrap_or(Percentage::FULL),
        ))
    }

    /// As a count of lines, which it is where lines weigh.
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
