//! Formats bytes, times, errors and outside names as text.

pub mod markdown;

use crate::Timestamp;
use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serializer;
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

/// Formats a number with its noun: `1 file`, `2 files`.
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// Formats each byte as two lower-case digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Formats as RFC 3339 with microseconds and a numeric offset: `2026-04-05T17:15:59.624890+00:00`.
pub fn rfc3339(timestamp: Timestamp) -> String {
    let time: DateTime<Utc> = DateTime::from_timestamp_micros(timestamp.0).unwrap_or_default();
    time.to_rfc3339_opts(SecondsFormat::Micros, false)
}

/// Writes a time as RFC 3339, for `serialize_with`.
pub(crate) fn serialize_rfc3339<S: Serializer>(
    at: &Timestamp,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&rfc3339(*at))
}

/// A text of at most `most` characters; `…` replaces what is cut.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept = text.chars().take(most.saturating_sub(1));
    kept.chain(['…']).collect()
}

/// The names of the first `most` items, and the number of the others: `a, b and 3 more`.
pub fn listed<T>(
    items: impl IntoIterator<Item = T>,
    most: usize,
    name: impl Fn(T) -> String,
) -> String {
    let mut items = items.into_iter();
    let first: Vec<_> = items.by_ref().take(most).map(name).collect();
    match items.count() {
        0 => first.join(", "),
        others => format!("{} and {others} more", first.join(", ")),
    }
}

/// Makes a text safe to show: replaces control characters and characters that change the direction of writing, so that
/// it cannot break lines or change the text next to it.
pub fn shown(text: impl Display) -> String {
    text.to_string().replace(is_hidden, "\u{fffd}")
}

/// Whether a character is a control character or changes the direction of writing.
pub fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}'
        )
        || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Makes a text safe to print in the log of a CI job: as [`shown`], and no CI system finds a command in it. Some CI systems
/// look for `##` anywhere in a line, others for `::` at its start.
pub fn printed(text: impl Display) -> String {
    let shown = shown(text);
    let words = shown.trim_start();
    let indent = &shown[..shown.len() - words.len()];
    let words = match words.strip_prefix("::") {
        Some(rest) => format!(":{}", rest.trim_start_matches(':')),
        None => words.to_owned(),
    };
    let mut printed = indent.to_owned();
    for char in words.chars() {
        if char != '#' || !printed.ends_with('#') {
            printed.push(char);
        }
    }
    printed
}

#[cfg(test)]
mod tests {
    use super::{printed, shown};

    #[test]
    fn a_printed_name_is_no_command_of_a_ci_system() {
        for (name, expected) in [
            ("###vso[task.setvariable]x", "#vso[task.setvariable]x"),
            ("a##[error]b", "a#[error]b"),
            ("::error::x", ":error::x"),
            ("  :::warning file=a::b", "  :warning file=a::b"),
            ("a\r\n::error::x", "a\u{fffd}\u{fffd}::error::x"),
            ("a\u{202e}b\u{200f}c", "a\u{fffd}b\u{fffd}c"),
            ("src/a::b#1.rs", "src/a::b#1.rs"),
        ] {
            assert_eq!(printed(name), expected);
        }
    }

    #[test]
    fn a_displayed_name_does_not_change_the_text_around_it() {
        let name = "a\u{202e}b\u{2067}c\u{61c}d\u{2028}e\tf\ng\u{1b}[31mh\u{9b}0m";
        let text = shown(name);
        assert_eq!(text.matches('\u{fffd}').count(), 8, "{text:?}");
        assert_eq!(shown("fix/grün-日本"), "fix/grün-日本");
    }
}
