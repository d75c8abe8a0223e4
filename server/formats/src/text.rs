//! A reader of text for the formats: one line at a time, within limits.

use std::ops::Range;

use crate::error::{ErrorKind, ReportError, shown};
use crate::input::Input;

/// A reader of lines, positioned at a line.
pub(crate) struct Text<'a> {
    pub(crate) input: Input<'a>,
    /// The range of the current line, without its line end.
    line: Range<usize>,
    /// Whether the current line has a line end. The last line of a file that was cut off has none.
    pub(crate) is_terminated: bool,
    /// The first line of the current record, for errors.
    pub(crate) record: Option<String>,
}

impl<'a> Text<'a> {
    pub(crate) fn open(input: Input<'a>) -> Result<Self, ReportError> {
        let mut text = Self {
            input,
            line: 0..0,
            is_terminated: false,
            record: None,
        };
        text.advance()?;
        Ok(text)
    }

    /// The current line, without its line end and surrounding white space.
    #[inline]
    pub(crate) fn line(&self) -> &[u8] {
        self.input.get(self.line.clone()).trim_ascii()
    }

    /// Continues with the next line. `false` if there is none.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<bool, ReportError> {
        loop {
            let rest = self.input.rest();
            let end = memchr::memchr(b'\n', rest);
            let at_end = self.input.is_ended;
            if end.is_none() && !at_end {
                let more = self.input.more();
                more.map_err(|kind| self.fail_here(kind))?;
                continue;
            }
            let len = end.unwrap_or(rest.len());
            if len == 0 && end.is_none() {
                self.line = self.input.consume(0);
                return Ok(false);
            }
            let checked = self.input.check_token(len);
            checked.map_err(|kind| self.fail_here(kind))?;
            self.is_terminated = end.is_some();
            self.line = self.input.consume(len);
            self.input.consume(usize::from(self.is_terminated));
            return Ok(true);
        }
    }

    /// Consumes lines after the current one, as long as `take` returns the length of a line, with its end, at the start of the rest.
    #[inline]
    pub(crate) fn skip_while(&mut self, mut take: impl FnMut(&[u8]) -> Option<usize>) {
        let (rest, mut used) = (self.input.rest(), 0);
        while let Some(length) = take(&rest[used..]) {
            used += length;
        }
        self.input.consume(used);
    }

    pub(crate) fn fail(&self, kind: ErrorKind) -> ReportError {
        self.input
            .fail_at(self.line.start, self.record.clone(), kind)
    }

    /// Returns the error that the current line is not the expected one.
    pub(crate) fn malformed(&self, expected: &str) -> ReportError {
        let found = format!("\"{}\"", shown(self.line()));
        self.fail(ErrorKind::malformed(expected, found))
    }

    /// Returns the error that the input ends too early.
    pub(crate) fn cut_off(&self, expected: &str) -> ReportError {
        self.fail_here(ErrorKind::CutOff {
            expected: expected.to_owned(),
        })
    }

    fn fail_here(&self, kind: ErrorKind) -> ReportError {
        self.input.fail_here(self.record.clone(), kind)
    }
}

#[cfg(test)]
mod tests;
