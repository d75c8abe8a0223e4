//! Formats bytes, times, errors and outside names as text.

pub(crate) mod markdown;

use chrono::{DateTime, SecondsFormat, Utc};
use domain::Timestamp;
use std::{error::Error, fmt::Display};

/// Returns an error with all its causes, for the log: `a: b: c`.
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// Formats each byte as two lower-case digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Formats as RFC 3339 with microseconds and a numeric offset: `2026-04-05T17:15:59.624890+00:00`.
pub(crate) fn rfc3339(timestamp: Timestamp) -> String {
    let time: DateTime<Utc> = DateTime::from_timestamp_micros(timestamp.0).unwrap_or_default();
    time.to_rfc3339_opts(SecondsFormat::Micros, false)
}

/// Makes a text safe to show: replaces control characters and characters that change the direction of writing, so that
/// it cannot break lines or change the text next to it.
pub(crate) fn shown(text: impl Display) -> String {
    let is_hidden = |char: char| {
        char.is_control()
            || matches!(
                char,
                '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}'
            )
            || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.to_string().replace(is_hidden, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_displayed_name_does_not_change_the_text_around_it() {
        let name = "a\u{202e}b\u{2067}c\u{61c}d\u{2028}e\tf\ng\u{1b}[31mh\u{9b}0m";
        let text = shown(name);
        assert_eq!(text.matches('\u{fffd}').count(), 8, "{text:?}");
        assert_eq!(shown("fix/grün-日本"), "fix/grün-日本");
    }
}
