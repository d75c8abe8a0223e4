//! Writes the text of a line as markup. The text is never interpreted as HTML. Characters that are invisible, or that change the
//! order of other characters, are shown as code points, such as U+202E.

use super::syntax::{Kind, Start};
use std::fmt::Write;

/// The most characters of a line that are shown.
pub(crate) const MOST: usize = 2_000;

/// The greatest [`indentation`].
const DEEPEST: usize = 6;

/// How deep a line is indented: a level is a tab or two spaces.
pub(super) fn indentation(line: &str) -> usize {
    let indents = line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
    let half_levels: usize = indents.map(|byte| if byte == b'\t' { 2 } else { 1 }).sum();
    (half_levels / 2).min(DEEPEST)
}

/// Where a narrow window may break the first word of a line. Without such places, a browser would move a long first word to
/// the next row, below the line number.
#[derive(Default)]
struct FirstWord {
    has_begun: bool,
    is_over: bool,
}

impl FirstWord {
    fn breaks_after(&mut self, char: char) -> bool {
        self.is_over |= self.has_begun && char.is_whitespace();
        self.has_begun |= !char.is_whitespace();
        !self.is_over && matches!(char, '.' | '(' | '[' | '/' | '_' | ',')
    }
}

/// Appends a line, coloured if `colours` say how. Returns the number of characters that are left out.
pub(super) fn write(markup: &mut String, line: &str, colours: Option<Start>) -> usize {
    let mut first = FirstWord::default();
    if let Some(start) = colours {
        start.parts(line, |text, kind| {
            markup.push_str(match kind {
                Some(Kind::Comment) => "<span class=\"c\">",
                Some(Kind::Literal) => "<span class=\"l\">",
                Some(Kind::Keyword) => "<span class=\"k\">",
                None => "",
            });
            write_text(markup, text, &mut first);
            markup.push_str(kind.map_or("", |_| "</span>"));
        });
        return 0;
    }
    let cut = line
        .char_indices()
        .nth(MOST)
        .map_or(line.len(), |(at, _)| at);
    write_text(markup, &line[..cut], &mut first);
    line[cut..].chars().count()
}

fn write_text(markup: &mut String, text: &str, first: &mut FirstWord) {
    for char in text.chars() {
        match char {
            '&' => markup.push_str("&amp;"),
            '<' => markup.push_str("&lt;"),
            '>' => markup.push_str("&gt;"),
            '\t' => markup.push('\t'),
            hidden if is_hidden(hidden) => {
                // Writing to a text cannot fail.
                let _ = write!(markup, "<mark>⟨U+{:04X}⟩</mark>", u32::from(hidden));
            }
            char => markup.push(char),
        }
        if first.breaks_after(char) {
            markup.push_str("<wbr>");
        }
    }
}

/// Whether a character is invisible, or changes how other characters are shown. With such characters, code can look like other
/// code.
fn is_hidden(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> (String, usize) {
        let mut markup = String::new();
        let rest = write(&mut markup, line, None);
        (markup, rest)
    }

    #[test]
    fn text_is_never_markup_and_hidden_characters_are_shown() {
        let (markup, _) = shown("</script><b>&amp;\t\u{202e}x\u{0}é");
        assert_eq!(
            markup,
            "&lt;/<wbr>script&gt;&lt;b&gt;&amp;amp;\t<mark>⟨U+202E⟩</mark>x<mark>⟨U+0000⟩</mark>é"
        );
    }

    #[test]
    fn text_in_colours_is_never_markup_either() {
        let mut markup = String::new();
        write(&mut markup, "if '</b>' # &\u{202e}", Start::of("a.py"));
        assert_eq!(
            markup,
            "<span class=\"k\">if</span> <span class=\"l\">'&lt;/b&gt;'</span> <span class=\"c\"># &amp;<mark>⟨U+202E⟩</mark></span>"
        );
    }

    #[test]
    fn only_the_first_word_of_a_line_may_break_after_its_signs() {
        let (markup, _) = shown("\tself.add_all(a, b.c)");
        assert_eq!(markup, "\tself.<wbr>add_<wbr>all(<wbr>a,<wbr> b.c)");
    }

    #[test]
    fn a_line_is_cut_after_2000_characters() {
        let (markup, rest) = shown(&"é".repeat(4_000_000));
        assert_eq!((markup.chars().count(), rest), (2_000, 3_998_000));
    }
}
