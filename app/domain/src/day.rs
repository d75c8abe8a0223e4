//! A calendar day in UTC, the unit of an org's trend.

use crate::Timestamp;
use chrono::{Datelike, Months, NaiveDate};
use std::{fmt, str::FromStr};
use thiserror::Error;

const MICROSECONDS: i64 = 86_400_000_000;

/// Days since 1 January 1970, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i32);

/// Why a text is not a day: a phrase that follows the parameter's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("must be a date of the years 1970 to 9999, such as 2026-11-09")]
pub struct DayError;

impl Day {
    /// Returns the day that contains `moment`.
    pub fn of(moment: Timestamp) -> Self {
        Self(i32::try_from(moment.0.div_euclid(MICROSECONDS)).unwrap_or(i32::MAX))
    }

    /// Its first moment.
    pub fn start(self) -> Timestamp {
        Timestamp(i64::from(self.0) * MICROSECONDS)
    }

    /// The first moment of the next day.
    pub fn end(self) -> Timestamp {
        Timestamp(self.start().0 + MICROSECONDS)
    }

    /// Days from `earlier` to this one.
    pub fn since(self, earlier: Self) -> i32 {
        self.0.saturating_sub(earlier.0)
    }

    /// Returns the day `days` days earlier.
    pub fn days_before(self, days: i32) -> Self {
        Self(self.0.saturating_sub(days))
    }

    /// Returns the same day `months` months earlier; the last day of that month if it has no such day.
    pub fn months_before(self, months: u32) -> Self {
        let earlier = self.date().checked_sub_months(Months::new(months));
        Self(earlier.unwrap_or(NaiveDate::MIN).to_epoch_days())
    }

    /// The first day of its month.
    pub fn month(self) -> Self {
        let date = self.date();
        Self(date.with_day(1).unwrap_or(date).to_epoch_days())
    }

    /// The first day of its quarter.
    pub fn quarter(self) -> Self {
        let date = self.date();
        let first = NaiveDate::from_ymd_opt(date.year(), date.month0() / 3 * 3 + 1, 1);
        Self(first.unwrap_or(date).to_epoch_days())
    }

    /// The first day of the month that is so many months after January of its year.
    pub fn month_of_year(self, months: u32) -> Option<Self> {
        let january = NaiveDate::from_ymd_opt(self.date().year(), 1, 1)?;
        let first = january.checked_add_months(Months::new(months))?;
        Some(Self(first.to_epoch_days()))
    }

    /// The day on or before this one that is so many days after a Monday: 0 for the Monday itself, 6 for the Sunday.
    pub fn last_weekday(self, after_monday: u8) -> Self {
        // 1 January 1970 was a Thursday.
        let days = self.0.saturating_add(3).saturating_sub(after_monday.into());
        self.days_before(days.rem_euclid(7))
    }

    /// The name of its quarter in a year: `Q4`.
    pub fn quarter_name(self) -> String {
        format!("Q{}", self.date().month0() / 3 + 1)
    }

    /// For a person: `9 Nov 2026`.
    pub fn long(self) -> String {
        self.start().day()
    }

    /// Days that chrono cannot represent, before or after 262,000 years, become the first or the last one.
    fn date(self) -> NaiveDate {
        let nearest = if self.0 < 0 {
            NaiveDate::MIN
        } else {
            NaiveDate::MAX
        };
        NaiveDate::from_epoch_days(self.0).unwrap_or(nearest)
    }
}

impl fmt::Display for Day {
    /// For machines and date fields: `2026-11-09`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let date = self.date();
        write!(
            f,
            "{:04}-{:02}-{:02}",
            date.year(),
            date.month(),
            date.day()
        )
    }
}

impl FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Self, DayError> {
        // The parser of chrono would add to the code in the browser, and reads signs and single digits.
        let mut parts = text.split('-').map(|part| part.parse::<u16>().ok());
        let date = match [(); 3].map(|()| parts.next().flatten()) {
            [Some(year), Some(month), Some(day)] => {
                NaiveDate::from_ymd_opt(i32::from(year), u32::from(month), u32::from(day))
            }
            _ => None,
        };
        let date = date.filter(|date| (1970..=9999).contains(&date.year()));
        let day = date.map(|date| Self(date.to_epoch_days()));
        // Refuses signs, single digits, and text beside the date.
        day.filter(|day| day.to_string() == text).ok_or(DayError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        text.parse().expect("a day")
    }

    #[test]
    fn every_date_of_several_centuries_round_trips() {
        for number in (0..2_932_896).step_by(29) {
            assert_eq!(day(&Day(number).to_string()), Day(number));
        }
        assert_eq!(day("9999-12-31").to_string(), "9999-12-31");
        assert_eq!(day("2024-02-29").long(), "29 Feb 2024");
    }

    #[test]
    fn invalid_dates_are_refused() {
        for bad in [
            "",
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-1-01",
            "1969-12-31",
            "2026-11-09T00:00",
            "+026-11-09",
            "２０２６-11-09",
            "20261109",
        ] {
            assert_eq!(bad.parse::<Day>(), Err(DayError), "{bad}");
        }
    }

    #[test]
    fn going_back_months_gives_the_same_day_or_the_last_of_the_month() {
        assert_eq!(day("2026-11-21").months_before(3), day("2026-08-21"));
        assert_eq!(day("2026-05-31").months_before(3), day("2026-02-28"));
        assert_eq!(day("2024-02-29").months_before(12), day("2023-02-28"));
        assert_eq!(day("2026-01-15").months_before(1), day("2025-12-15"));
    }

    #[test]
    fn a_quarter_has_three_months_and_a_week_seven_days() {
        assert_eq!(day("2026-11-28").quarter(), day("2026-10-01"));
        assert_eq!(day("2026-03-31").quarter(), day("2026-01-01"));
        let names = ["2026-01-01", "2026-06-30", "2026-12-31"].map(|text| day(text).quarter_name());
        assert_eq!(names, ["Q1", "Q2", "Q4"]);
        // 23 November 2026 is a Monday.
        for (today, after_monday, found) in [
            ("2026-11-23", 0, "2026-11-23"),
            ("2026-11-29", 0, "2026-11-23"),
            ("2026-11-23", 6, "2026-11-22"),
            ("1970-01-01", 3, "1970-01-01"),
        ] {
            assert_eq!(day(today).last_weekday(after_monday), day(found), "{today}");
        }
    }

    #[test]
    fn a_time_belongs_to_the_day_that_has_not_ended() {
        let moment = day("2026-11-09").end();
        assert_eq!(Day::of(moment), day("2026-11-10"));
        assert_eq!(Day::of(Timestamp(moment.0 - 1)), day("2026-11-09"));
        assert_eq!(Day::of(Timestamp(-1)), Day(-1));
    }
}
