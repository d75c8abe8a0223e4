//! Text that clients chose, as markup.

/// Text for an attribute or an element of HTML and of XML.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push('\n'),
            // What XML has no way to write (XML 1.0, section 2.2).
            '\u{fffe}' | '\u{ffff}' => {}
            control if control.is_control() => {}
            char => escaped.push(char),
        }
    }
    escaped
}
