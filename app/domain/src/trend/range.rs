//! How far back a trend goes.

use crate::{Day, Timestamp};
use std::str::FromStr;
use thiserror::Error;

/// A period that ends today or on the requested day. It has the same days on every page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TrendRange {
    /// Seven days.
    Days7,
    /// Thirty days.
    Days30,
    /// Three months of the calendar.
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

    /// The first day of the period that ends on `last`: a number of days before, or the same day of an earlier month. `None` if
    /// it begins with the first record.
    pub fn first_day(self, last: Day) -> Option<Day> {
        Some(match self {
            Self::Days7 => last.days_before(7),
            Self::Days30 => last.days_before(30),
            Self::Months3 => last.months_before(3),
            Self::Months6 => last.months_before(6),
            Self::Months12 => last.months_before(12),
            Self::All => return None,
        })
    }

    /// When it begins, if it ends on the day of `now`; `None` if it begins with the first record.
    pub fn since(self, now: Timestamp) -> Option<Timestamp> {
        self.first_day(Day::of(now)).map(Day::start)
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

    #[test]
    fn months_are_those_of_the_calendar_and_ranges_begin_at_midnight() {
        let day = |text: &str| text.parse::<Day>().expect("a day");
        let last = day("2026-05-31");
        for (range, first) in [
            (TrendRange::Days7, "2026-05-24"),
            (TrendRange::Days30, "2026-05-01"),
            (TrendRange::Months3, "2026-02-28"),
            (TrendRange::Months6, "2025-11-30"),
            (TrendRange::Months12, "2025-05-31"),
        ] {
            assert_eq!(range.first_day(last), Some(day(first)), "{range:?}");
            let now = Timestamp(last.end().0 - 1);
            assert_eq!(range.since(now), Some(day(first).start()), "{range:?}");
        }
        assert_eq!(TrendRange::All.first_day(last), None);
    }
}
