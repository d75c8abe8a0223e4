//! Hunks: their headers `@@ -41,2 +41,3 @@`, and their lines, if they were sent. Only added and removed lines are changed; their
//! text is dropped.

use super::{Hunk, Span};

/// The highest line number that a header may state.
const LAST: u32 = i32::MAX.cast_unsigned();

/// Longer than the longest header.
const MAX_BYTES: usize = 64;

const EXPECTED: &str = "expected a hunk such as `@@ -41,2 +41,3 @@`";
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

/// A hunk whose lines may follow. With `-U0` and only the header lines of a diff, no line follows, or single lines that look like
/// headers: a removed line `-- x` is `--- x`.
pub(super) struct Body {
    header: Hunk,
    /// The changed lines since the last line of context.
    run: Hunk,
    changed: Vec<Hunk>,
    /// Whether a line was certainly text of the hunk.
    has_text: bool,
}

impl Body {
    pub(super) fn new(header: Hunk) -> Self {
        Self {
            header,
            run: empty(header.old.first, header.new.first),
            changed: Vec::new(),
            has_text: false,
        }
    }

    /// Consumes a line if it belongs to the hunk.
    pub(super) fn takes(&mut self, line: &[u8]) -> bool {
        let (has_old, has_new) = self.expects();
        match line.first() {
            Some(b'-') if has_old => {
                self.run.old.lines += 1;
                self.has_text |= !line.starts_with(b"--- ");
            }
            Some(b'+') if has_new => {
                self.run.new.lines += 1;
                self.has_text |= !line.starts_with(b"+++ ");
            }
            Some(b' ') if has_old && has_new => {
                self.pass_context();
                self.has_text = true;
            }
            // Some programs remove the space of an empty line of context.
            None if has_old && has_new => self.pass_context(),
            // "\ No newline at end of file"
            Some(b'\\') => {}
            _ => return false,
        }
        true
    }

    /// Returns the changed lines. `None` if the hunk ends early. Without `needs_text`, the hunk may be a header alone.
    pub(super) fn finish(mut self, needs_text: bool) -> Option<Vec<Hunk>> {
        if self.expects() == (false, false) {
            self.end_run();
            Some(self.changed)
        } else if self.has_text || needs_text {
            None
        } else {
            Some(vec![self.header])
        }
    }

    /// Whether lines of the old and of the new tree must follow.
    fn expects(&self) -> (bool, bool) {
        let (header, run) = (self.header, self.run);
        (
            run.old.end() < header.old.end(),
            run.new.end() < header.new.end(),
        )
    }

    fn pass_context(&mut self) {
        self.end_run();
        self.run.old.first += 1;
        self.run.new.first += 1;
    }

    fn end_run(&mut self) {
        if self.run.old.lines > 0 || self.run.new.lines > 0 {
            self.changed.push(self.run);
        }
        self.run = empty(self.run.old.end(), self.run.new.end());
    }
}

/// A hunk without lines, before these lines of both trees.
fn empty(old: u32, new: u32) -> Hunk {
    let [old, new] = [old, new].map(|first| Span { first, lines: 0 });
    Hunk { old, new }
}
