//! Finds comments, strings, numbers and keywords in lines of code, roughly: what is coloured wrongly is still the same text.

/// What a part of a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Comment,
    Literal,
    Keyword,
}

/// The longest line that is coloured, in bytes.
const LONGEST: usize = 500;

/// The last line that is coloured: a page with more parts would be slow.
const LAST: u32 = 5_000;

/// What is needed to colour a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    syntax: &'static Syntax,
    /// The number of the text of several lines in which the line starts.
    within: Option<usize>,
}

impl Start {
    /// The start of a file; `None` if its language is not known.
    pub(super) fn of(path: &str) -> Option<Self> {
        let syntax = Syntax::of(path)?;
        let within = None;
        Some(Self { syntax, within })
    }

    /// The start of the line after `line`.
    pub(super) fn after(self, line: &str) -> Self {
        let within = match line.len() <= LONGEST {
            true => self.parts(line, |_, _| {}),
            false => {
                let ends = |number: &usize| line.contains(self.syntax.longer[*number].1);
                self.within.filter(|number| !ends(number))
            }
        };
        Self { within, ..self }
    }

    /// Whether a line is coloured.
    pub(super) fn colours(number: u32, line: &str) -> bool {
        number <= LAST && line.len() <= LONGEST
    }

    /// Calls `found` with each part of the line, in order; a part without a kind is anything else. Returns in which text of several
    /// lines it ends.
    pub(super) fn parts<'a>(
        self,
        line: &'a str,
        found: impl FnMut(&'a str, Option<Kind>),
    ) -> Option<usize> {
        self.syntax.parts(line, self.within, found)
    }
}

/// What languages have in common.
#[derive(Debug, PartialEq, Eq)]
struct Syntax {
    /// What starts a comment until the end of the line.
    comments: &'static [&'static str],
    /// What starts and what ends a text of several lines.
    longer: &'static [(&'static str, &'static str, Kind)],
    /// What starts and ends a string on one line.
    quotes: &'static [char],
    /// With a space between them.
    keywords: &'static str,
}

const BLOCK: (&str, &str, Kind) = ("/*", "*/", Kind::Comment);

const LIKE_C: &str = "abstract as async await bool boolean break byte case catch char class const continue def default defer delete do \
        double else enum export extends extern false final finally float fn for foreach fun func function go goto guard \
        if impl implements import in instanceof int interface internal is let long loop match mod mut namespace new nil \
        null nullptr override package private protected pub public range return self short static struct super switch \
        this throw throws trait true try type typedef typeof union unsafe unsigned use using val var virtual void when \
        where while yield";

const C: Syntax = Syntax {
    comments: &["//"],
    longer: &[BLOCK],
    quotes: &['"', '\''],
    keywords: LIKE_C,
};

/// `'` starts a lifetime too.
const RUST: Syntax = Syntax {
    quotes: &['"'],
    ..C
};

const WITH_TEMPLATES: Syntax = Syntax {
    longer: &[BLOCK, ("`", "`", Kind::Literal)],
    ..C
};

const PYTHON: Syntax = Syntax {
    comments: &["#"],
    longer: &[
        ("\"\"\"", "\"\"\"", Kind::Literal),
        ("'''", "'''", Kind::Literal),
    ],
    quotes: &['"', '\''],
    keywords: "False None True and as assert async await break class continue def del elif else except finally for from global \
        if import in is lambda match nonlocal not or pass raise return self try while with yield",
};

const RUBY: Syntax = Syntax {
    comments: &["#"],
    longer: &[],
    quotes: &['"', '\''],
    keywords: "alias and begin break case class def defmodule do else elsif end ensure false fn for if in module my next nil \
        not or redo rescue retry return self sub super then true unless until use when while yield",
};

const SHELL: Syntax = Syntax {
    keywords: "case do done elif else esac exit export fi for function if in local return set then until while",
    ..RUBY
};

impl Syntax {
    /// The syntax of a file, by the ending of its name.
    fn of(path: &str) -> Option<&'static Self> {
        let (_, ending) = path.rsplit_once('.')?;
        match ending {
            "rs" => Some(&RUST),
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "vue" | "go" => Some(&WITH_TEMPLATES),
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "cs" | "java" | "kt" | "kts"
            | "scala" | "swift" | "dart" | "php" | "groovy" | "m" | "mm" | "d" => Some(&C),
            "py" | "pyi" => Some(&PYTHON),
            "rb" | "rake" | "ex" | "exs" | "pl" | "pm" => Some(&RUBY),
            "sh" | "bash" | "zsh" => Some(&SHELL),
            _ => None,
        }
    }

    fn parts<'a>(
        &self,
        line: &'a str,
        within: Option<usize>,
        mut found: impl FnMut(&'a str, Option<Kind>),
    ) -> Option<usize> {
        let (mut at, mut plain, mut within) = (0, 0, within);
        while at < line.len() {
            let rest = &line[at..];
            let (length, kind, next) = match within {
                Some(number) => self.inside(rest, 0, number),
                None => self.next(rest, line[..at].chars().next_back()),
            };
            if kind.is_some() {
                if plain < at {
                    found(&line[plain..at], None);
                }
                found(&rest[..length], kind);
                plain = at + length;
            }
            (at, within) = (at + length, next);
        }
        if plain < line.len() {
            found(&line[plain..], None);
        }
        within
    }

    /// The length of a text of several lines, from `after` its start on.
    fn inside(
        &self,
        rest: &str,
        after: usize,
        number: usize,
    ) -> (usize, Option<Kind>, Option<usize>) {
        let (_, end, kind) = self.longer[number];
        match rest[after..].find(end) {
            Some(found) => (after + found + end.len(), Some(kind), None),
            None => (rest.len(), Some(kind), Some(number)),
        }
    }

    /// The length and kind of what `rest` starts with.
    fn next(&self, rest: &str, before: Option<char>) -> (usize, Option<Kind>, Option<usize>) {
        let one = |length, kind| (length, kind, None);
        let starts = |(start, _, _): &(&str, _, _)| rest.starts_with(start);
        if let Some(number) = self.longer.iter().position(starts) {
            return self.inside(rest, self.longer[number].0.len(), number);
        }
        // In a shell, `$#` is no comment.
        if before != Some('$') && self.comments.iter().any(|start| rest.starts_with(start)) {
            return one(rest.len(), Some(Kind::Comment));
        }
        let Some(first) = rest.chars().next() else {
            return one(0, None);
        };
        if self.quotes.contains(&first) {
            // Perhaps an apostrophe: the rest of the line is left plain, so that no line is read often.
            return match quoted(rest, first) {
                Some(length) => one(length, Some(Kind::Literal)),
                None => one(rest.len(), None),
            };
        }
        if first.is_alphanumeric() || first == '_' {
            let ends = |char: char| !(char.is_alphanumeric() || char == '_');
            let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
            let kind = match first.is_ascii_digit() {
                true => Some(Kind::Literal),
                false => self
                    .keywords
                    .split(' ')
                    .any(|keyword| keyword == word)
                    .then_some(Kind::Keyword),
            };
            return one(word.len(), kind);
        }
        one(first.len_utf8(), None)
    }
}

/// The length of a string; `None` without an end on the line.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            char if char == quote => return Some(at + char.len_utf8()),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts that have a kind, with the first letter of it.
    fn parts(path: &str, lines: &[&str]) -> Vec<String> {
        let mut start = Start::of(path).expect("a known language");
        let mut all = Vec::new();
        for line in lines {
            let mut whole = String::new();
            start.parts(line, |text, kind| {
                whole.push_str(text);
                all.extend(kind.map(|kind| format!("{kind:?}")[..1].to_owned() + " " + text));
            });
            assert_eq!(whole, *line, "no character is lost");
            start = start.after(line);
        }
        all
    }

    #[test]
    fn comments_strings_numbers_and_keywords_are_found() {
        assert_eq!(
            parts(
                "a.rs",
                &["let x: &'a str = \"a // \\\" b\"; // if", "x1 + 0x2f"]
            ),
            ["K let", "L \"a // \\\" b\"", "C // if", "L 0x2f"]
        );
        assert_eq!(
            parts("b/a.py", &["if é == 'it' and x: # don't"]),
            ["K if", "L 'it'", "K and", "C # don't"]
        );
        assert_eq!(parts("a.sh", &["if [ $# -gt 1 ]"]), ["K if", "L 1"]);
        assert!(Start::of("README").is_none() && Start::of("a.txt").is_none());
    }

    #[test]
    fn texts_of_several_lines_end_where_they_are_closed() {
        assert_eq!(
            parts("a.c", &["/* a", "if", "*/ if /* b */"]),
            ["C /* a", "C if", "C */", "K if", "C /* b */"]
        );
        assert_eq!(
            parts("a.py", &["\"\"\"if\"\"\"", "x = '''", "''' if"]),
            ["L \"\"\"if\"\"\"", "L '''", "L '''", "K if"]
        );
        let long = format!("{}*/", "x".repeat(600));
        assert_eq!(parts("a.c", &["/*", &long, "if"])[2..], ["K if"]);
        assert_eq!(parts("a.ts", &["`a${b}", "` + 'c"]), ["L `a${b}", "L `"]);
    }
}
