//! A coverage percentage with two decimals, stored as an integer so that all pages and files have the same digits.

use super::Count;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A percentage in basis points: 0 is 0.00 %, 10 000 is 100.00 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Percentage(u16);

impl Percentage {
    /// The largest number of basis points: full coverage.
    pub const FULL: u16 = 10_000;

    /// Creates a percentage from basis points; values above [`Self::FULL`] become full coverage.
    pub fn from_basis_points(basis_points: u16) -> Self {
        Self(basis_points.min(Self::FULL))
    }

    /// Covered divided by total, rounded half away from zero; none if there is nothing to cover. Only full coverage gives
    /// 100.00, and only no coverage gives 0.00.
    pub fn of(count: Count) -> Option<Self> {
        let (covered, total) = (u128::from(count.covered), u128::from(count.total));
        let full = u128::from(Self::FULL);
        let shown = match covered {
            _ if total == 0 => return None,
            0 => 0,
            _ if covered >= total => full,
            _ => ((2 * full * covered + total) / (2 * total)).clamp(1, full - 1),
        };
        Some(Self(u16::try_from(shown).unwrap_or(Self::FULL)))
    }

    /// The percentage in basis points, 0 to 10 000.
    pub fn basis_points(self) -> u16 {
        self.0
    }
}

impl From<i64> for Percentage {
    /// Creates a percentage from basis points as the database stores them, 0 to [`Self::FULL`]; others become full
    /// coverage.
    fn from(basis_points: i64) -> Self {
        Self::from_basis_points(u16::try_from(basis_points).unwrap_or(Self::FULL))
    }
}

impl fmt::Display for Percentage {
    /// Two decimals without the sign: `84.14`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_decimals_are_always_shown() {
        let shown = [0, 1, 10, 100, 8_414, 10_000, 60_000]
            .map(|bp| Percentage::from_basis_points(bp).to_string());
        assert_eq!(
            shown,
            ["0.00", "0.01", "0.10", "1.00", "84.14", "100.00", "100.00"]
        );
    }

    #[test]
    fn stored_basis_points_out_of_range_become_full_coverage() {
        let stored = [0, 8_414, 10_000, 10_001, 70_000, -1].map(|bp| Percentage::from(bp).0);
        assert_eq!(stored, [0, 8_414, 10_000, 10_000, 10_000, 10_000]);
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
