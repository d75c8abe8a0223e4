//! How long a record waits for missing parts, and how long replaced and pruned HTML reports stay.

use std::{
    fmt::{self, Display},
    str::FromStr,
    time::Duration,
};

const DAY: u64 = 86_400;

/// The time from the arrival of the last part to the end of the wait. A number alone counts seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartsTimeout(pub Duration);

/// The grace period of HTML reports, such as `7d` or `12h`; `0` for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportGrace(pub Duration);

impl PartsTimeout {
    /// Also the value of an empty text.
    pub const DEFAULT: &str = "60min";
}

impl ReportGrace {
    /// No grace period.
    pub const NONE: Self = Self(Duration::ZERO);

    /// Whether such HTML reports are removed at once.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }
}

impl Default for ReportGrace {
    fn default() -> Self {
        Self(Duration::from_secs(7 * DAY))
    }
}

impl FromStr for PartsTimeout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let timeout = match text.trim() {
            "" => with_units(Self::DEFAULT)?,
            text => match text.parse() {
                Ok(seconds) => Duration::from_secs(seconds),
                Err(_) => with_units(text)?,
            },
        };
        // A job that takes longer than this has failed.
        within(timeout, 30, "must be at most 30 days").map(Self)
    }
}

impl FromStr for ReportGrace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let grace = match text.trim() {
            "" => return Ok(Self::default()),
            "0" => Duration::ZERO,
            text => with_units(text)?,
        };
        // Longer than any backup needs.
        within(grace, 10 * 366, "must be at most ten years").map(Self)
    }
}

fn with_units(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|error| error.to_string())
}

fn within(duration: Duration, days: u64, rule: &str) -> Result<Duration, String> {
    match duration <= Duration::from_secs(days * DAY) {
        true => Ok(duration),
        false => Err(rule.to_owned()),
    }
}

impl Display for ReportGrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_secs() {
            DAY => f.write_str("1 day"),
            seconds if seconds % DAY == 0 => write!(f, "{} days", seconds / DAY),
            _ => humantime::format_duration(self.0).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_a_duration_or_seconds() {
        let read = |text: &str| text.parse().map(|PartsTimeout(timeout)| timeout.as_secs());
        assert_eq!(read("60min"), Ok(3_600));
        assert_eq!(read("90"), Ok(90));
        assert_eq!(read("0"), Ok(0));
        assert_eq!(read(""), Ok(3_600), "an empty value is the default");
        assert!(read("soon").is_err());
        assert!(read("31d").is_err());
    }

    #[test]
    fn a_grace_period_is_written_with_units() {
        let seconds = |text: &str| text.parse::<ReportGrace>().map(|grace| grace.0.as_secs());
        assert_eq!(seconds("7d"), Ok(604_800));
        assert_eq!(seconds("1h 30min"), Ok(5_400));
        assert_eq!(seconds(" 0 "), Ok(0));
        assert_eq!(seconds(""), Ok(604_800), "an empty value is the default");
        for bad in ["-1d", "7", "soon", "11y", "99999999999y"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
        assert_eq!(ReportGrace::default().to_string(), "7 days");
        assert_eq!(seconds("7d"), seconds(""));
    }
}
