//! The input as UTF-8 text, seen through a moving window.

mod source;

use std::io::Read;
use std::ops::Range;

use crate::error::{ErrorKind, Position, ReportError};
use crate::format::Format;
use crate::limits::Limits;
use source::Source;

/// A window that moves over the text. Tokens are parsed in place. A token cut off by the window's end is parsed again after
/// [`Input::more`]. Memory is bounded by the longest allowed token.
pub(crate) struct Input<'a> {
    source: Source<'a>,
    /// The format that errors name, once it is recognised.
    pub(crate) format: Option<Format>,
    window: Vec<u8>,
    /// The number of consumed bytes of the window.
    at: usize,
    /// The number of bytes of the text before the window.
    offset: u64,
    /// The position in the window up to which line ends are counted, and their number in the text up to there.
    counted: usize,
    line_ends: u64,
    /// Whether the input ends after the rest.
    pub(crate) is_ended: bool,
    token_bytes: usize,
    /// The position in the window of the mark, if there is one. Nothing after it is dropped.
    mark: Option<usize>,
}

impl<'a> Input<'a> {
    pub(crate) fn open(input: &'a mut dyn Read, limits: &Limits) -> Result<Self, ErrorKind> {
        Ok(Self {
            source: Source::open(input)?,
            format: None,
            window: Vec::new(),
            at: 0,
            offset: 0,
            counted: 0,
            line_ends: 0,
            is_ended: false,
            token_bytes: limits.token_bytes,
            mark: None,
        })
    }

    /// The rest of the window, which is not consumed yet.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.window[self.at..]
    }

    /// Consumes the first `len` bytes of the rest. Returns their range, which is valid for [`Input::get`]
    /// until more is read.
    pub(crate) fn consume(&mut self, len: usize) -> Range<usize> {
        let start = self.at;
        self.at = (start + len).min(self.window.len());
        start..self.at
    }

    pub(crate) fn get(&self, place: Range<usize>) -> &[u8] {
        self.window.get(place).unwrap_or_default()
    }

    /// Reads more text into the rest. `false` at the end of the input.
    ///
    /// # Errors
    ///
    /// If the rest, which is one unfinished token, is too long, or the input fails.
    pub(crate) fn more(&mut self) -> Result<bool, ErrorKind> {
        if self.is_ended {
            return Ok(false);
        }
        let rest = self.window.len() - self.at;
        self.check_token(rest)?;
        self.drop_before(self.mark.map_or(self.at, |mark| mark.min(self.at)));
        let kept = self.window.len();
        // Read twice as much for a token of twice the length, so that parsing it repeatedly takes linear time in total.
        let wanted = kept + rest.max(1);
        while self.window.len() < wanted && !self.is_ended {
            let read = self.source.read(&mut self.window);
            self.is_ended = !read.map_err(|error| ErrorKind::Read(error.into()))?;
        }
        Ok(self.window.len() > kept)
    }

    fn drop_before(&mut self, place: usize) {
        if place > self.counted {
            self.count_lines(place);
        }
        self.counted -= place;
        self.offset += place as u64;
        self.window.drain(..place);
        self.at -= place;
        self.mark = self.mark.map(|mark| mark - place);
    }

    /// Keeps the following bytes until [`Input::rewind`].
    pub(crate) fn mark(&mut self) {
        self.mark = Some(self.at);
    }

    /// The number of bytes consumed since the mark.
    pub(crate) fn since_mark(&self) -> usize {
        self.mark.map_or(0, |mark| self.at - mark)
    }

    pub(crate) fn rewind(&mut self) {
        self.at = self.mark.take().unwrap_or(self.at);
    }

    pub(crate) fn check_token(&self, len: usize) -> Result<(), ErrorKind> {
        if len > self.token_bytes {
            return Err(ErrorKind::TokenTooLong(self.token_bytes));
        }
        Ok(())
    }

    /// Returns an error at the rest, in this element, member or record.
    pub(crate) fn fail_here(&self, element: Option<String>, kind: ErrorKind) -> ReportError {
        self.fail_at(self.at, element, kind)
    }

    pub(crate) fn fail_at(
        &self,
        place: usize,
        element: Option<String>,
        kind: ErrorKind,
    ) -> ReportError {
        ReportError::new(self.format, self.position_of(place), element, kind)
    }

    pub(crate) fn position_of(&self, place: usize) -> Position {
        let place = place.min(self.window.len());
        let line_ends = if place < self.counted {
            self.line_ends - line_ends(&self.window[place..self.counted])
        } else {
            self.line_ends + line_ends(&self.window[self.counted..place])
        };
        Position {
            line: 1 + line_ends,
            offset: self.offset + place as u64,
        }
    }

    /// Like [`Input::position_of`], for frequent calls: remembers the count of lines.
    pub(crate) fn count_lines(&mut self, place: usize) -> Position {
        let position = self.position_of(place);
        (self.counted, self.line_ends) = (place.min(self.window.len()), position.line - 1);
        position
    }
}

fn line_ends(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}
