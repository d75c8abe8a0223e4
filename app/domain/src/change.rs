//! The difference between two percentages.

use super::Percentage;
use serde::{Deserialize, Serialize};
use std::{cmp::Ordering, fmt};

/// A difference in basis points of a percentage: +100 is one percentage point more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Change(i32);

impl Change {
    /// Returns `head` minus `base`.
    pub fn between(base: Percentage, head: Percentage) -> Self {
        Self(i32::from(head.basis_points()) - i32::from(base.basis_points()))
    }

    /// From basis points.
    pub fn from_basis_points(basis_points: i32) -> Self {
        Self(basis_points)
    }

    /// In basis points.
    pub fn basis_points(self) -> i32 {
        self.0
    }

    /// Up, down or unchanged: the CSS class, the visible mark, and the word for screen readers.
    pub fn direction(self) -> (&'static str, &'static str, &'static str) {
        match self.0.cmp(&0) {
            Ordering::Greater => ("up", "▲", "up"),
            Ordering::Less => ("down", "▼", "down"),
            Ordering::Equal => ("flat", "=", "unchanged"),
        }
    }
}

impl fmt::Display for Change {
    /// Percentage points with two decimals and a sign (a real minus): `+0.42`, `−2.31`, `0.00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.0.cmp(&0) {
            Ordering::Greater => "+",
            Ordering::Less => "\u{2212}",
            Ordering::Equal => "",
        };
        let size = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:02}", size / 100, size % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_carries_its_sign_and_two_decimals() {
        let at = Percentage::from_basis_points;
        assert_eq!(Change::between(at(8_000), at(8_042)).to_string(), "+0.42");
        assert_eq!(Change::between(at(8_000), at(7_769)).to_string(), "−2.31");
        assert_eq!(Change::between(at(10_000), at(0)).to_string(), "−100.00");
        assert_eq!(Change::between(at(1), at(1)).to_string(), "0.00");
    }
}
