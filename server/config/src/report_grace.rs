//! The grace period of replaced and pruned HTML reports.

use std::{fmt, str::FromStr, time::Duration};

/// Longer than any backup needs.
const MOST: Duration = Duration::from_secs(10 * 366 * 86_400);

/// A duration such as `7d` or `12h`; `0` for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportGrace(pub Duration);

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
        Self(Duration::from_secs(7 * 86_400))
    }
}

impl FromStr for ReportGrace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let grace = match text {
            "" => return Ok(Self::default()),
            "0" => Duration::ZERO,
            text => humantime::parse_duration(text).map_err(|error| error.to_string())?,
        };
        if grace <= MOST {
            Ok(Self(grace))
        } else {
            Err("must be at most ten years".to_owned())
        }
    }
}

impl fmt::Display for ReportGrace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DAY: u64 = 86_400;
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
