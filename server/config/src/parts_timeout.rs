//! How long a record waits for missing parts.

use std::{
    fmt::{self, Display},
    str::FromStr,
    time::Duration,
};

/// The time from the arrival of the last part to the end of the wait. A number alone counts seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartsTimeout(pub Duration);

/// A job that takes longer than this has failed.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

impl Default for PartsTimeout {
    fn default() -> Self {
        Self(Duration::from_secs(60 * 60))
    }
}

impl FromStr for PartsTimeout {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(Self::default());
        }
        let timeout = match text.parse() {
            Ok(seconds) => Duration::from_secs(seconds),
            Err(_) => humantime::parse_duration(text).map_err(|error| error.to_string())?,
        };
        if timeout > LONGEST {
            return Err("must be at most 30 days".to_owned());
        }
        Ok(Self(timeout))
    }
}

impl Display for PartsTimeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        humantime::format_duration(self.0).fmt(f)
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
}
