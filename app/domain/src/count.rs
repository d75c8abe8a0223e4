//! Covered and total counts, as integers.

use super::Percentage;
use serde::{Deserialize, Serialize};

/// Covered and total of one counter (lines, branches or functions) of one coverage file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// The number covered; never more than `total`.
    pub covered: u64,
    /// The total number.
    pub total: u64,
}

impl Count {
    /// The number not covered.
    pub fn uncovered(self) -> u64 {
        self.total.saturating_sub(self.covered)
    }

    /// Returns the sum of both counts.
    pub fn plus(self, other: Self) -> Self {
        Self {
            covered: self.covered.saturating_add(other.covered),
            total: self.total.saturating_add(other.total),
        }
    }

    /// Returns the percentage of [`Percentage::of`]; 0 if `total` is 0.
    pub fn percentage(self) -> Percentage {
        Percentage::of(self).unwrap_or(Percentage::from_basis_points(0))
    }
}

/// The new lines of some files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewCount {
    /// New lines.
    pub lines: Count,
    /// Lines that may be new. They are not in `lines`.
    pub unknown: u64,
}

impl NewCount {
    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            lines: self.lines.plus(other.lines),
            unknown: self.unknown + other.unknown,
        }
    }
}

impl Percentage {
    /// Covered divided by total, rounded half away from zero; `None` if the total is 0. Only full coverage gives
    /// 100.00, and only no coverage gives 0.00.
    pub fn of(count: Count) -> Option<Self> {
        Self::of_parts(count.covered.into(), count.total.into())
    }

    /// Like [`Self::of`], for sums that may be larger than a count.
    pub(crate) fn of_parts(covered: u128, total: u128) -> Option<Self> {
        let full = u128::from(Self::FULL);
        let shown = match covered {
            _ if total == 0 => return None,
            0 => 0,
            _ if covered >= total => full,
            _ => ((2 * full * covered + total) / (2 * total)).clamp(1, full - 1),
        };
        let shown = u16::try_from(shown).unwrap_or(Self::FULL);
        Some(Self::from_basis_points(shown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_added_and_what_is_uncovered_is_the_rest() {
        let count = |covered, total| Count { covered, total };
        assert_eq!(count(3, 5).uncovered(), 2);
        assert_eq!(count(3, 5).plus(count(1, 4)), count(4, 9));
        assert_eq!(count(0, u64::MAX).plus(count(1, 1)), count(1, u64::MAX));
    }

    #[test]
    fn only_full_coverage_is_100_and_only_none_is_0() {
        let shown = |covered, total| Count { covered, total }.percentage().to_string();
        assert_eq!(shown(99_999, 100_000), "99.99");
        assert_eq!(shown(1, 100_000), "0.01");
        assert_eq!(shown(2, 3), "66.67");
        assert_eq!(
            [shown(0, 0), shown(0, 5), shown(5, 5)],
            ["0.00", "0.00", "100.00"]
        );
    }

    #[test]
    fn only_full_coverage_reads_100_and_only_none_reads_0() {
        let of = |covered, total| {
            let percentage = Percentage::of(Count { covered, total });
            percentage.map(|percentage| percentage.to_string())
        };
        assert_eq!(of(0, 0), None);
        for (covered, total, shown) in [
            (0, 9, "0.00"),
            (9, 9, "100.00"),
            (1, 1_000_000, "0.01"),
            (999_999, 1_000_000, "99.99"),
            (1, 3, "33.33"),
            (2, 3, "66.67"),
            (1, 20_000, "0.01"),
            (u64::MAX - 1, u64::MAX, "99.99"),
        ] {
            assert_eq!(of(covered, total).as_deref(), Some(shown));
        }
    }
}
