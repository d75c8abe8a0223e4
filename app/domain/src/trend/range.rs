//! How far back a trend goes.

use super::Timestamp;
use std::str::FromStr;
use thiserror::Error;

const DAY: i64 = 86_400_000_000;

/// A period that ends now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrendRange {
    /// Seven days.
    Days7,
    /// Thirty days.
    Days30,
    /// Three months.
    #[default]
    Months3,
    /// Six months.
    Months6,
    /// Twelve months.
    Months12,
    /// From the first record on.
    All,
}

/// The word is not a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be one of 7d, 30d, 3m, 6m, 12m, all")]
pub struct NotARange;

impl TrendRange {
    /// All ranges, in the order of the page.
    pub const ALL: [Self; 6] = [
        Self::Days7,
        Self::Days30,
        Self::Months3,
        Self::Months6,
        Self::Months12,
        Self::All,
    ];

    /// The word in an address.
    pub fn word(self) -> &'static str {
        match self {
            Self::Days7 => "7d",
            Self::Days30 => "30d",
            Self::Months3 => "3m",
            Self::Months6 => "6m",
            Self::Months12 => "12m",
            Self::All => "all",
        }
    }

    /// The label on a button.
    pub fn label(self) -> &'static str {
        match self {
            Self::Days7 => "7 d",
            Self::Days30 => "30 d",
            Self::Months3 => "3 m",
            Self::Months6 => "6 m",
            Self::Months12 => "12 m",
            Self::All => "all",
        }
    }

    /// The words in a sentence.
    pub fn long(self) -> &'static str {
        match self {
            Self::Days7 => "the last 7 days",
            Self::Days30 => "the last 30 days",
            Self::Months3 => "the last 3 months",
            Self::Months6 => "the last 6 months",
            Self::Months12 => "the last 12 months",
            Self::All => "all time",
        }
    }

    /// When it begins, relative to `now`; none if it begins with the first record.
    pub fn since(self, now: Timestamp) -> Option<Timestamp> {
        let days = match self {
            Self::Days7 => 7,
            Self::Days30 => 30,
            Self::Months3 => 91,
            Self::Months6 => 182,
            Self::Months12 => 365,
            Self::All => return None,
        };
        Some(Timestamp(now.0 - days * DAY))
    }
}

impl FromStr for TrendRange {
    type Err = NotARange;

    fn from_str(word: &str) -> Result<Self, NotARange> {
        let mut ranges = Self::ALL.into_iter();
        ranges.find(|range| range.word() == word).ok_or(NotARange)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_round_trips_and_each_is_longer_than_the_last() {
        let now = Timestamp(1_794_232_920_000_000);
        for range in TrendRange::ALL {
            assert_eq!(range.word().parse(), Ok(range));
        }
        assert!("1y".parse::<TrendRange>().is_err());
        let since = TrendRange::ALL.map(|range| range.since(now).map_or(i64::MIN, |since| since.0));
        assert!(since.is_sorted_by(|a, b| a > b), "{since:?}");
    }
}
