//! The input as UTF-8 text, a window of it at a time.

mod source;

use std::io::Read;
use std::ops::Range;

use crate::error::{ErrorKind, Position};
use crate::limits::Limits;
use source::Source;

/// A window that moves over the text. Tokens are parsed where they lie in it; one that is cut off by the window's end
/// is parsed again when [`Input::more`] has been read. Memory is that of the longest token allowed.
pub(crate) struct Input<'a> {
    source: Source<'a>,
    window: Vec<u8>,
    /// How much of the window is consumed.
    at: usize,
    /// Bytes of the text before the window.
    offset: u64,
    /// How far into the window line ends are counted, and how many the text has up to there.
    counted: usize,
    line_ends: u64,
    is_ended: bool,
    token_bytes: usize,
    /// Where in the window to go back to, if anywhere: nothing from there on is dropped.
    mark: Option<usize>,
}

impl<'a> Input<'a> {
    pub(crate) fn open(input: &'a mut dyn Read, limits: &Limits) -> Result<Self, ErrorKind> {
        Ok(Self {
            source: Source::open(input)?,
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

    /// What is not consumed yet of the window.
    pub(crate) fn rest(&self) -> &[u8] {
        &self.window[self.at..]
    }

    /// Consumes the first `len` bytes of the rest. The place that they had is good for [`Input::get`]
    /// until more is read.
    pub(crate) fn consume(&mut self, len: usize) -> Range<usize> {
        let start = self.at;
        self.at = (start + len).min(self.window.len());
        start..self.at
    }

    /// The bytes at a place in the window.
    pub(crate) fn get(&self, place: Range<usize>) -> &[u8] {
        self.window.get(place).unwrap_or_default()
    }

    /// Whether nothing follows the rest.
    pub(crate) fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Makes the rest longer; `false` if it is all that there is.
    ///
    /// # Errors
    ///
    /// If the rest, which is one unfinished token, has grown too long, or the input fails.
    pub(crate) fn more(&mut self) -> Result<bool, ErrorKind> {
        if self.is_ended {
            return Ok(false);
        }
        let rest = self.window.len() - self.at;
        self.check_token(rest)?;
        self.drop_before(self.mark.map_or(self.at, |mark| mark.min(self.at)));
        let kept = self.window.len();
        // Twice as much for a token of twice the length: then reading it again and again costs no more than reading it.
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

    /// Keeps all that is consumed from here on, until [`Input::rewind`].
    pub(crate) fn mark(&mut self) {
        self.mark = Some(self.at);
    }

    /// How much was consumed since the mark.
    pub(crate) fn since_mark(&self) -> usize {
        self.mark.map_or(0, |mark| self.at - mark)
    }

    /// Goes back to the mark: what was consumed since is the rest again.
    pub(crate) fn rewind(&mut self) {
        self.at = self.mark.take().unwrap_or(self.at);
    }

    /// Refuses a token that is too long.
    pub(crate) fn check_token(&self, len: usize) -> Result<(), ErrorKind> {
        if len > self.token_bytes {
            return Err(ErrorKind::TokenTooLong(self.token_bytes));
        }
        Ok(())
    }

    /// Where the rest begins.
    pub(crate) fn position(&self) -> Position {
        self.position_of(self.at)
    }

    /// Where a place in the window is in the text.
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

    /// Like [`Input::position_of`], for who asks often: goes on to count from here.
    pub(crate) fn count_lines(&mut self, place: usize) -> Position {
        let position = self.position_of(place);
        (self.counted, self.line_ends) = (place.min(self.window.len()), position.line - 1);
        position
    }
}

fn line_ends(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}
