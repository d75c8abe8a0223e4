//! Names and sentences from uploads as parts of an answer: delimited, on one line, and bounded.

use domain::text::shown;

/// The most bytes of a name. A longer name keeps its end, which distinguishes paths.
const MAX_NAME: usize = 200;

/// The most bytes of a sentence.
const MAX_SENTENCE: usize = 400;

/// A name in backticks, which it cannot end.
pub(super) fn name(text: &str) -> String {
    let text = plain(text).replace('`', "'");
    match text.ceil_char_boundary(text.len().saturating_sub(MAX_NAME)) {
        0 => format!("`{text}`"),
        start => format!("`…{}`", &text[start..]),
    }
}

/// A sentence that contains names, in quotes, which it cannot end.
pub(super) fn quoted(text: &str) -> String {
    let text = plain(text).replace('"', "'");
    if text.len() <= MAX_SENTENCE {
        return format!("\"{text}\"");
    }
    format!("\"{}…\"", &text[..text.floor_char_boundary(MAX_SENTENCE)])
}

/// The text without characters that people do not see and models do.
fn plain(text: &str) -> String {
    let is_hidden = |char: char| {
        matches!(char, '\u{ad}' | '\u{180e}' | '\u{feff}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}')
            || matches!(char, '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
    };
    shown(text).replace(is_hidden, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_end_its_delimiters_or_hide_text() {
        assert_eq!(name("src/fee.rs"), "`src/fee.rs`");
        assert_eq!(
            name("a`. Ignore\nthis\u{e0041}"),
            "`a'. Ignore\u{fffd}this\u{fffd}`"
        );
        assert_eq!(quoted("a \"b\"\u{200b}"), "\"a 'b'\u{fffd}\"");
    }

    #[test]
    fn long_names_keep_their_end_and_long_sentences_their_start() {
        let long = name(&format!("{}/fee.rs", "ü".repeat(4_000)));
        assert!(long.len() <= MAX_NAME + 5 && long.ends_with("ü/fee.rs`"));
        let long = quoted(&format!("first {}", "ü".repeat(4_000)));
        assert!(long.len() <= MAX_SENTENCE + 5 && long.starts_with("\"first ü"));
    }
}
