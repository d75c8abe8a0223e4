//! A coverage percentage with two decimals, stored as an integer so that all pages and files have the same digits.

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

    /// The percentage in basis points, 0 to 10 000.
    pub fn basis_points(self) -> u16 {
        self.0
    }

    /// Returns the percentage with fewer decimals, 0 or 1; with two for any other number. Only full coverage gives 100, and only no
    /// coverage gives 0.
    pub fn with_decimals(self, decimals: u8) -> String {
        let unit: u16 = match decimals {
            0 => 100,
            1 => 10,
            _ => return self.to_string(),
        };
        let most = Self::FULL / unit;
        let rounded = match self.0 {
            0 => 0,
            Self::FULL => most,
            points => ((points + unit / 2) / unit).clamp(1, most - 1),
        };
        match decimals {
            0 => rounded.to_string(),
            _ => format!("{}.{}", rounded / 10, rounded % 10),
        }
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
    fn fewer_decimals_are_rounded_but_never_to_full_or_no_coverage() {
        let shown =
            |points, decimals| Percentage::from_basis_points(points).with_decimals(decimals);
        let whole = [0, 1, 8_449, 8_450, 9_999, 10_000].map(|points| shown(points, 0));
        assert_eq!(whole, ["0", "1", "84", "85", "99", "100"]);
        let tenths = [0, 1, 8_444, 8_445, 9_999, 10_000].map(|points| shown(points, 1));
        assert_eq!(tenths, ["0.0", "0.1", "84.4", "84.5", "99.9", "100.0"]);
        assert_eq!(shown(8_414, 2), "84.14");
    }

    #[test]
    fn stored_basis_points_out_of_range_become_full_coverage() {
        let stored = [0, 8_414, 10_000, 10_001, 70_000, -1].map(|bp| Percentage::from(bp).0);
        assert_eq!(stored, [0, 8_414, 10_000, 10_000, 10_000, 10_000]);
    }
}
