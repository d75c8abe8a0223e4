//! Counts of covered and total, and their percentage.

use crate::number::integer;

/// A number of things, and how many of them a test reached. `covered <= total` always holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    covered: u64,
    total: u64,
}

impl Count {
    /// 0 of 0.
    pub const ZERO: Self = Self {
        covered: 0,
        total: 0,
    };

    /// Creates a count. `None` if `covered` is more than `total`.
    pub fn new(covered: u64, total: u64) -> Option<Self> {
        (covered <= total).then_some(Self { covered, total })
    }

    /// Reads the covered number and the total, as in `1/3`.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let slash = memchr::memchr(b'/', text)?;
        Self::new(integer(&text[..slash])?, integer(&text[slash + 1..])?)
    }

    /// Creates a count from the covered and missed numbers that JaCoCo states.
    pub fn of_missed(covered: u64, missed: u64) -> Self {
        Self {
            covered,
            total: covered.saturating_add(missed),
        }
    }

    /// A count of one thing.
    pub fn one(covered: bool) -> Self {
        Self {
            covered: u64::from(covered),
            total: 1,
        }
    }

    /// The covered number.
    pub fn covered(self) -> u64 {
        self.covered
    }

    /// The total number.
    pub fn total(self) -> u64 {
        self.total
    }

    /// Both counts together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            covered: self.covered.saturating_add(other.covered),
            total: self.total.saturating_add(other.total),
        }
    }

    /// The greater of each number.
    #[must_use]
    pub fn greater(self, other: Self) -> Self {
        Self {
            covered: self.covered.max(other.covered),
            total: self.total.max(other.total),
        }
    }

    /// `None` if there is nothing to cover.
    #[must_use]
    pub fn non_empty(self) -> Option<Self> {
        (self.total > 0).then_some(self)
    }

    /// Returns hundredths of a percent, 0 to 10000, rounded half away from zero; 0 for 0 of 0.
    ///
    /// Only full coverage is 10000, and only no coverage is 0: 99.998 % is 9999 and 0.001 % is 1.
    ///
    /// ```
    /// use formats::Count;
    /// assert_eq!(Count::new(3, 4).unwrap().basis_points(), 7500);
    /// assert_eq!(Count::new(99_998, 100_000).unwrap().basis_points(), 9999);
    /// assert_eq!(Count::new(1, 100_000).unwrap().basis_points(), 1);
    /// ```
    pub fn basis_points(self) -> u16 {
        if self.covered == 0 {
            return 0;
        }
        if self.covered == self.total {
            return 10_000;
        }
        let (covered, total) = (u128::from(self.covered), u128::from(self.total));
        let rounded = (covered * 20_000 + total) / (total * 2);
        u16::try_from(rounded).unwrap_or(9_999).clamp(1, 9_999)
    }
}

#[cfg(test)]
mod tests;
