//! The headers of hunks: `@@ -41,2 +41,3 @@`.

use super::{Hunk, Span};

/// The highest line number that a header may state.
const LAST: u32 = i32::MAX.cast_unsigned();

/// Longer than the longest header.
const MAX_BYTES: usize = 64;

pub(super) const EXPECTED: &str = "expected a hunk such as `@@ -41,2 +41,3 @@`";
const NO_LINES: &str = "expected a hunk with lines";
const TOO_FAR: &str = "expected lines up to 2147483647";

impl Hunk {
    /// Reads a header. The spans include lines of context.
    pub(super) fn read(line: &[u8]) -> Result<Self, &'static str> {
        // The text after the second `@@` comes from the file.
        let text = String::from_utf8_lossy(&line[..line.len().min(MAX_BYTES)]);
        let rest = text.strip_prefix("@@ -").ok_or(EXPECTED)?;
        let (old, rest) = rest.split_once(" +").ok_or(EXPECTED)?;
        let (new, _) = rest.split_once(" @@").ok_or(EXPECTED)?;
        let hunk = Self {
            old: span(old)?,
            new: span(new)?,
        };
        match hunk.old.lines == 0 && hunk.new.lines == 0 {
            true => Err(NO_LINES),
            false => Ok(hunk),
        }
    }

    /// Whether the hunk comes after `before` in both trees.
    pub(super) fn follows(self, before: Self) -> bool {
        self.old.first >= before.old.end() && self.new.first >= before.new.end()
    }
}

fn span(text: &str) -> Result<Span, &'static str> {
    let (start, lines) = text.split_once(',').unwrap_or((text, "1"));
    let (start, lines) = (number(start)?, number(lines)?);
    // Git states the line before an empty span.
    let first = match (start, lines) {
        (start, 0) => start.checked_add(1).ok_or(TOO_FAR)?,
        (0, _) => return Err(EXPECTED),
        (start, _) => start,
    };
    match first.checked_add(lines) {
        Some(end) if end <= LAST => Ok(Span { first, lines }),
        _ => Err(TOO_FAR),
    }
}

fn number(text: &str) -> Result<u32, &'static str> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(EXPECTED);
    }
    text.parse().map_err(|_| TOO_FAR)
}
