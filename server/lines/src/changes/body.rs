//! The lines of a hunk, if they were sent: only added and removed lines are changed. Their text is dropped.

use super::{Hunk, Span};

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
        let empty = |span: Span| Span { lines: 0, ..span };
        Self {
            header,
            run: Hunk {
                old: empty(header.old),
                new: empty(header.new),
            },
            changed: Vec::new(),
            has_text: false,
        }
    }

    /// Consumes a line if it belongs to the hunk.
    pub(super) fn takes(&mut self, line: &[u8]) -> bool {
        let (has_old, has_new) = (self.old_left() > 0, self.new_left() > 0);
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
        if self.old_left() == 0 && self.new_left() == 0 {
            self.end_run();
            Some(self.changed)
        } else if self.has_text || needs_text {
            None
        } else {
            Some(vec![self.header])
        }
    }

    fn old_left(&self) -> u32 {
        self.header.old.end() - self.run.old.end()
    }

    fn new_left(&self) -> u32 {
        self.header.new.end() - self.run.new.end()
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
        let after = |span: Span| Span {
            first: span.end(),
            lines: 0,
        };
        self.run = Hunk {
            old: after(self.run.old),
            new: after(self.run.new),
        };
    }
}
