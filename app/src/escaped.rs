//! Escapes text from clients for markup.

/// Escapes text for an attribute or an element, in HTML and in XML.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push('\n'),
            // XML cannot represent these (XML 1.0, section 2.2).
            '\u{fffe}' | '\u{ffff}' => {}
            control if control.is_control() => {}
            char => escaped.push(char),
        }
    }
    escaped
}
