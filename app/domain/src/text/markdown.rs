//! Texts from outside in Markdown: shown as they are, without links, mentions, references, markup or line breaks.

use crate::text::shown;

/// The most characters of a text.
const LONGEST: usize = 300;

/// Text. Forges look for references such as `@name`, `#1` and `!1` in it, even if they are escaped, and for addresses. Words
/// that a forge could take for a reference, such as paths, become spans of code, so that they can still be copied.
pub fn text(plain: &str) -> String {
    let plain = cut(&shown(plain));
    let words = plain.split_inclusive(char::is_whitespace).map(|word| {
        let (before, rest) = word.split_at(word.len() - word.trim_start_matches(['(', '"']).len());
        let core = rest.trim_end_matches(|char: char| {
            char.is_whitespace() || matches!(char, ',' | ';' | ':' | '.' | ')' | '!' | '?' | '"')
        });
        let after = &rest[core.len()..];
        match refers(core) {
            true => escaped(before) + &code(core) + &escaped(after),
            false => escaped(word),
        }
    });
    words.collect()
}

/// Whether a forge could see a mention, a reference or an address in a word.
fn refers(word: &str) -> bool {
    let pairs = word.chars().zip(word.chars().skip(1));
    pairs.into_iter().any(|(char, next)| {
        let marks = matches!(
            char,
            '@' | '#' | '!' | '~' | '$' | '%' | '&' | '^' | '/' | '.' | ':'
        );
        // `81.24` stays as it is.
        marks && !(char == '.' && next.is_ascii_digit())
    })
}

fn escaped(plain: &str) -> String {
    let mut escaped = String::with_capacity(plain.len() + 8);
    for char in plain.chars() {
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
    }
    escaped
}

/// A span of code in the cell of a table, where GitHub's Markdown demands an escaped `|` even in code. Forges disagree about `|`
/// after two `\`, so `\|` becomes a similar character.
pub fn code_in_table(plain: &str) -> String {
    code(&plain.replace("\\|", "\\\u{2223}")).replace('|', "\\|")
}

/// A span of code. Forges do not look for references in it.
pub fn code(plain: &str) -> String {
    let plain = cut(&shown(plain));
    let longest = plain.split(|char| char != '`').map(str::len).max();
    let fence = "`".repeat(longest.unwrap_or(0) + 1);
    let pad = match plain.is_empty() || plain.starts_with(['`', ' ']) || plain.ends_with(['`', ' '])
    {
        true => " ",
        false => "",
    };
    format!("{fence}{pad}{plain}{pad}{fence}")
}

/// Cuts the middle out of a long text: the end of a path is more specific than its start.
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
        for (hostile, harmless) in [
            (
                "<script> **b** [x](y)",
                "&lt;script&gt; \\*\\*b\\*\\* \\[x\\](y)",
            ),
            ("@kim #1 !2 ~l $3", "`@kim` `#1` `!2` `~l` `$3`"),
            ("see https://evil.example.", "see `https://evil.example`."),
            ("(www.evil.example), a|b", "(`www.evil.example`), a\\|b"),
            ("a\n/close", "`a\u{fffd}/close`"),
            ("`@kim`", "`` `@kim` ``"),
            ("<a@b>", "`<a@b>`"),
        ] {
            assert_eq!(text(hostile), harmless);
        }
        assert_eq!(text("81.24 % (−0.41)"), "81.24 % (−0.41)");
    }

    #[test]
    fn paths_can_be_copied_as_they_are() {
        for path in [
            "src/tax.rs",
            "node_modules/@kim/x.js",
            "a_b.c",
            "packages/a-b/*.ts",
        ] {
            let sentence = text(&format!("lost: {path} 7–9, {path}; {path}."));
            let code = format!("`{path}`");
            assert_eq!(sentence, format!("lost: {code} 7–9, {code}; {code}."));
        }
    }

    #[test]
    fn code_ends_where_the_name_ends() {
        assert_eq!(code("src/tax.rs"), "`src/tax.rs`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`$(x)`"), "`` `$(x)` ``");
        assert_eq!(code("a\nb|c"), "`a\u{fffd}b|c`");
        assert_eq!(code_in_table("a|b\\|"), "`a\\|b\\\u{2223}`");
        assert_eq!(code(""), "`  `");
        let long = code(&"x".repeat(4_096));
        assert_eq!(long.chars().count(), LONGEST + 3);
    }
}
