//! How far back a trend goes.

use crate::{Day, Timestamp, choice::choices, query::with_default};

choices! {
    /// A period that ends today or on the requested day. It has the same days on every page.
    #[derive(Default)]
    TrendRange:
    /// Seven days.
    Days7 = "7d" => "7 d",
    /// Thirty days.
    Days30 = "30d" => "30 d",
    /// Three months of the calendar.
    #[default]
    Months3 = "3m" => "3 m",
    /// Six months.
    Months6 = "6m" => "6 m",
    /// Twelve months.
    Months12 = "12m" => "12 m",
    /// From the first record on.
    All = "all" => "all",
}

with_default!(TrendRange);

impl TrendRange {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_round_trips_and_each_is_longer_than_the_last() {
        let now = Timestamp(1_794_232_920_000_000);
        for range in TrendRange::ALL {
            assert_eq!(range.word().parse(), Ok(*range));
        }
        assert!("1y".parse::<TrendRange>().is_err());
        let since = TrendRange::ALL
            .iter()
            .map(|range| range.since(now).map_or(i64::MIN, |since| since.0));
        let since: Vec<_> = since.collect();
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
