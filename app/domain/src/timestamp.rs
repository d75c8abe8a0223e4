//! A point in time and its texts.

use chrono::{DateTime, Datelike, SecondsFormat, Timelike, Utc};
use serde::{Deserialize, Serialize};

/// Microseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Timestamp(pub i64);

impl From<i64> for Timestamp {
    fn from(microseconds: i64) -> Self {
        Self(microseconds)
    }
}

/// The months as texts. Patterns of chrono would add 12 kB to the code in the browser.
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

impl Timestamp {
    fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    /// Times that chrono cannot represent, before or after 262,000 years, become the first or the last one.
    fn utc(self) -> DateTime<Utc> {
        let nearest = if self.0 < 0 {
            DateTime::<Utc>::MIN_UTC
        } else {
            DateTime::<Utc>::MAX_UTC
        };
        DateTime::from_timestamp_micros(self.0).unwrap_or(nearest)
    }

    /// For a person: `9 Nov 2026, 14:02 UTC`.
    pub fn long(self) -> String {
        format!("{}, {} UTC", self.day(), self.minute())
    }

    /// For an axis or a narrow column: `9 Nov 2026`.
    pub fn day(self) -> String {
        format!("{} {}", self.day_of_year(), self.utc().year())
    }

    /// For an axis that spans less than two days: `9 Nov 14:02`.
    pub fn day_and_minute(self) -> String {
        format!("{} {}", self.day_of_year(), self.minute())
    }

    /// For an axis that spans only minutes: `14:02:33`.
    pub fn time_of_day(self) -> String {
        format!("{}:{:02}", self.minute(), self.utc().second())
    }

    /// `9 Nov`.
    fn day_of_year(self) -> String {
        let utc = self.utc();
        let month = MONTHS.get(utc.month0() as usize).copied();
        format!("{} {}", utc.day(), month.unwrap_or_default())
    }

    /// `14:02`.
    fn minute(self) -> String {
        let utc = self.utc();
        format!("{:02}:{:02}", utc.hour(), utc.minute())
    }

    /// For a `datetime` attribute (RFC 3339): `2026-11-09T14:02:00Z`.
    pub fn machine(self) -> String {
        self.utc().to_rfc3339_opts(SecondsFormat::Secs, true)
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
        assert_eq!(NOVEMBER.day_and_minute(), "9 Nov 14:02");
        assert_eq!(Timestamp(NOVEMBER.0 + 3_000_000).time_of_day(), "14:02:03");
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
