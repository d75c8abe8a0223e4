//! Names and sentences of others in Markdown: shown as they are, without links, mentions, references, markup or line breaks.

use crate::text::shown;

/// How many characters of a text are kept.
const LONGEST: usize = 300;

/// Keeps a forge from seeing a mention or a reference, and is not visible.
const BREAK: char = '\u{200b}';

/// Text. Forges look for `@name`, `#1`, `!1` and others in it even if they are escaped, and for addresses.
pub(crate) fn text(plain: &str) -> String {
    let plain = cut(&shown(plain));
    let mut escaped = String::with_capacity(plain.len() + 8);
    let mut chars = plain.chars().peekable();
    while let Some(char) = chars.next() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '@' | '!' | '$' | '^' => {
                escaped.push('\\');
                escaped.push(char);
            }
            _ => escaped.push(char),
        }
        let refers = matches!(
            char,
            '@' | '#' | '!' | '~' | '$' | '%' | '&' | '^' | '/' | '.' | ':'
        );
        let goes_on = chars.peek().is_some_and(|next| !next.is_whitespace());
        if refers && goes_on && !is_within_a_number(char, chars.peek()) {
            escaped.push(BREAK);
        }
    }
    escaped
}

/// `81.24` stays as it is.
fn is_within_a_number(char: char, next: Option<&char>) -> bool {
    char == '.' && next.is_some_and(char::is_ascii_digit)
}

/// A span of code, in which forges look for nothing. In a table `|` has to be escaped even there.
pub(crate) fn code(plain: &str) -> String {
    let plain = cut(&shown(plain)).replace('|', "\u{2223}");
    let longest = plain.split(|char| char != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0) + 1);
    let pad = match plain.is_empty() || plain.starts_with(['`', ' ']) || plain.ends_with(['`', ' '])
    {
        true => " ",
        false => "",
    };
    format!("{fence}{pad}{plain}{pad}{fence}")
}

/// The end of a path says more than its start.
fn cut(plain: &str) -> String {
    let count = plain.chars().count();
    if count <= LONGEST {
        return plain.to_owned();
    }
    let half = LONGEST / 2;
    let start: String = plain.chars().take(half).collect();
    let end: String = plain.chars().skip(count - half).collect();
    format!("{start}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_no_markup_mention_reference_or_address() {
        let hostile = "<script> **b** [x](y) @kim #1 !2 ~l $3 https://evil.example www.evil.example a|b\n/close";
        let escaped = text(hostile);
        for gone in [
            "<", "@k", "#1", "!2", "~l", "$3", "://", "www.e", "\n", " [x](",
        ] {
            assert!(!escaped.contains(gone), "{gone} is in {escaped}");
        }
        assert!(escaped.contains("\\*\\*b\\*\\*"), "{escaped}");
        assert_eq!(text("81.24 % (−0.41)"), "81.24 % (−0.41)");
    }

    #[test]
    fn code_ends_where_the_name_ends() {
        assert_eq!(code("src/tax.rs"), "`src/tax.rs`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`$(x)`"), "`` `$(x)` ``");
        assert_eq!(code("a\nb|c"), "`a\u{fffd}b\u{2223}c`");
        assert_eq!(code(""), "`  `");
        let long = code(&"x".repeat(4_096));
        assert_eq!(long.chars().count(), LONGEST + 3);
    }
}
