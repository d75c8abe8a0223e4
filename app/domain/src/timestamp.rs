//! A point in time and its texts; integer arithmetic only, so that the browser needs no date library.

use serde::{Deserialize, Serialize};

/// Microseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Timestamp(pub i64);

impl From<i64> for Timestamp {
    fn from(microseconds: i64) -> Self {
        Self(microseconds)
    }
}

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const SECONDS_OF_DAY: i64 = 86_400;

impl Timestamp {
    fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// Year, month (1 to 12) and day of the proleptic Gregorian calendar, in UTC.
    pub fn date(self) -> (i64, usize, i64) {
        // Howard Hinnant's days-from-civil, reversed: eras of 400 years that begin on 1 March.
        let days = self.seconds().div_euclid(SECONDS_OF_DAY) + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 {
            month_from_march + 3
        } else {
            month_from_march - 9
        };
        (
            year_of_era + era * 400 + i64::from(month <= 2),
            month as usize,
            day,
        )
    }

    fn time(self) -> (i64, i64) {
        let second = self.seconds().rem_euclid(SECONDS_OF_DAY);
        (second / 3_600, second / 60 % 60)
    }

    /// For a person: `9 Nov 2026, 14:02 UTC`.
    pub fn long(self) -> String {
        let ((year, month, day), (hour, minute)) = (self.date(), self.time());
        format!(
            "{day} {} {year}, {hour:02}:{minute:02} UTC",
            MONTHS[month - 1]
        )
    }

    /// For an axis or a narrow column: `9 Nov 2026`.
    pub fn day(self) -> String {
        let (year, month, day) = self.date();
        format!("{day} {} {year}", MONTHS[month - 1])
    }

    /// For an axis that spans less than two days: `9 Nov 14:02`.
    pub fn day_and_minute(self) -> String {
        let ((_, month, day), (hour, minute)) = (self.date(), self.time());
        format!("{day} {} {hour:02}:{minute:02}", MONTHS[month - 1])
    }

    /// For an axis that spans only minutes: `14:02:33`.
    pub fn time_of_day(self) -> String {
        let (hour, minute) = self.time();
        format!("{hour:02}:{minute:02}:{:02}", self.seconds().rem_euclid(60))
    }

    /// For a `datetime` attribute (RFC 3339): `2026-11-09T14:02:00Z`.
    pub fn machine(self) -> String {
        let ((year, month, day), (hour, minute)) = (self.date(), self.time());
        format!(
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z",
            self.seconds().rem_euclid(60)
        )
    }

    /// How long ago it was at `now`: `just now`, `12 min ago`, `5 h ago`, `6 days ago`, `3 months ago`, `2 years ago`.
    pub fn age(self, now: Self) -> String {
        let minutes = (now.seconds() - self.seconds()) / 60;
        let count = |number: i64, unit: &str| match number {
            1 => format!("1 {unit} ago"),
            _ => format!("{number} {unit}s ago"),
        };
        match minutes {
            ..1 => "just now".to_owned(),
            1..60 => format!("{minutes} min ago"),
            60..1_440 => format!("{} h ago", minutes / 60),
            1_440..87_840 => count(minutes / 1_440, "day"),
            87_840..525_600 => count(minutes / 43_920, "month"),
            _ => count(minutes / 525_600, "year"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOVEMBER: Timestamp = Timestamp(1_794_232_920_000_000);

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(NOVEMBER.long(), "9 Nov 2026, 14:02 UTC");
        assert_eq!(NOVEMBER.machine(), "2026-11-09T14:02:00Z");
        assert_eq!(Timestamp(0).day(), "1 Jan 1970");
        assert_eq!(Timestamp(-1).machine(), "1969-12-31T23:59:59Z");
        assert_eq!(Timestamp(951_782_400_000_000).day(), "29 Feb 2000");
        assert_eq!(Timestamp(4_107_542_400_000_000).day(), "1 Mar 2100");
    }

    #[test]
    fn ages_use_the_largest_whole_unit() {
        let ago = |minutes: i64| Timestamp(NOVEMBER.0 - minutes * 60_000_000).age(NOVEMBER);
        assert_eq!(ago(-5), "just now");
        assert_eq!(ago(0), "just now");
        assert_eq!(ago(59), "59 min ago");
        assert_eq!(ago(60), "1 h ago");
        assert_eq!(ago(1_440), "1 day ago");
        assert_eq!(ago(60 * 24 * 60), "60 days ago");
        assert_eq!(ago(62 * 24 * 60), "2 months ago");
        assert_eq!(ago(800 * 24 * 60), "2 years ago");
    }
}
