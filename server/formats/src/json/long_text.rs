//! Skips a text of any length, such as the source of a file, without keeping it.

use super::Json;
use crate::error::ReportError;

/// A colon and an empty text: what the parser reads in place of a skipped text.
const INSTEAD: &[u8] = b":\"\"";

impl Json<'_> {
    /// Skips the value of the member whose key was just read. A text may be longer than the limit of a token. Its escapes are
    /// not checked.
    pub(crate) fn skip_long_text(&mut self) -> Result<(), ReportError> {
        let Some(start) = self.text_start()? else {
            return self.skip();
        };
        self.token = self.input.consume(start);
        let parsed = self.parser.parse_next(INSTEAD, false);
        self.parsed += parsed.consumed_bytes as u64;
        loop {
            let rest = self.input.rest();
            let (passed, is_end) = match memchr::memchr2(b'"', b'\\', rest) {
                Some(at) if rest[at] == b'"' => (at + 1, true),
                // A backslash at the end of the window stays there, until the character after it is read.
                Some(at) if at + 1 == rest.len() => (at, false),
                Some(at) => (at + 2, false),
                None => (rest.len(), false),
            };
            self.token = self.input.consume(passed);
            if is_end {
                return Ok(());
            }
            if matches!(self.input.rest(), b"" | b"\\") && !self.read_more()? {
                return Err(self.cut_off());
            }
        }
    }

    /// The number of bytes up to the first character of a text that is the next value. `None` if the value is not a text.
    fn text_start(&mut self) -> Result<Option<usize>, ReportError> {
        loop {
            let rest = self.input.rest();
            let colon = spaces(rest);
            let quote = colon + 1 + spaces(rest.get(colon + 1..).unwrap_or_default());
            match (rest.get(colon), rest.get(quote)) {
                (Some(b':'), Some(b'"')) => return Ok(Some(quote + 1)),
                (Some(b':') | None, None) => {
                    if !self.read_more()? {
                        return Ok(None);
                    }
                }
                _ => return Ok(None),
            }
        }
    }

    pub(super) fn read_more(&mut self) -> Result<bool, ReportError> {
        self.token = 0..0;
        let more = self.input.more();
        more.map_err(|kind| self.fail_here(kind))
    }
}

/// The number of bytes of white space at the start.
fn spaces(text: &[u8]) -> usize {
    text.len() - text.trim_ascii_start().len()
}
