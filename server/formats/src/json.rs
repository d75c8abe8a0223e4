//! A streaming reader of JSON for the formats: members of objects and items of arrays, one at a time, within limits.
//!
//! Only this module uses json-event-parser. A value is read like this:
//!
//! ```text
//! json.members(|json| match json.key() {
//!     "files" => json.members(|json| { found.files.enter(json.key()); … }),
//!     "version" => { version = json.integer()?; Ok(()) }
//!     _ => json.skip(),
//! })
//! ```
//!
//! A caller must read each value to its end with one of these functions. A value of another type than the expected number or text
//! is skipped and returns `None`. `null` is an empty object or array.

mod long_text;
mod preview;
mod tokens;

use std::ops::Range;

use json_event_parser::LowLevelJsonParser;

use crate::counter::{Counter, Counters};
use crate::error::{ErrorKind, ReportError, shown};
use crate::input::Input;
use crate::limits::Limits;
use crate::number::{hits, integer};
use crate::warning::{Stated, Warnings};
use tokens::{Token, parser};

/// A reader of JSON, positioned before a value.
pub(crate) struct Json<'a> {
    pub(crate) input: Input<'a>,
    parser: LowLevelJsonParser,
    limits: Limits,
    /// The number of bytes that the parser has consumed.
    parsed: u64,
    depth: usize,
    /// The last key, string or number.
    text: String,
    /// The range of the last token in the window, including the white space, comma or colon before it.
    token: Range<usize>,
    /// A token that was peeked but not consumed. Its text is in `text`.
    peeked: Option<Token>,
    /// The concatenated keys of the open members, and the start of each key.
    keys: String,
    open_keys: Vec<usize>,
}

/// A value that is neither an object nor an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value<'t> {
    Null,
    Flag(bool),
    /// A number, as written.
    Number(&'t str),
    Text(&'t str),
}

impl<'a> Json<'a> {
    pub(crate) fn open(input: Input<'a>, limits: &Limits) -> Self {
        Self {
            input,
            parser: parser(limits),
            limits: limits.clone(),
            parsed: 0,
            depth: 0,
            text: String::new(),
            token: 0..0,
            peeked: None,
            keys: String::new(),
            open_keys: Vec::new(),
        }
    }

    /// Reads an object. Calls `each` for every member; `each` must read the value and may use [`Json::key`].
    pub(crate) fn members(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        match self.next()? {
            Token::Object => {}
            Token::Null => return Ok(()),
            other => return Err(self.unexpected("an object", other)),
        }
        loop {
            match self.next()? {
                Token::Key => {}
                Token::ObjectEnd => return Ok(()),
                other => return Err(self.unexpected("a key", other)),
            }
            let start = self.keys.len();
            let checked = self.input.check_token(start + self.text.len());
            checked.map_err(|kind| self.fail(kind))?;
            self.keys.push_str(&self.text);
            self.open_keys.push(start);
            each(self)?;
            self.open_keys.pop();
            self.keys.truncate(start);
        }
    }

    /// Reads an object. Calls `each` for the member with this key, and skips the others.
    pub(crate) fn member(
        &mut self,
        key: &str,
        mut each: impl FnMut(&mut Self) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        self.members(|json| {
            if json.key() == key {
                each(json)
            } else {
                json.skip()
            }
        })
    }

    /// The key of the innermost open member.
    #[inline]
    pub(crate) fn key(&self) -> &str {
        let start = self.open_keys.last().copied().unwrap_or_default();
        &self.keys[start..]
    }

    /// Reads an array. Calls `each` for every item, with its index; `each` must read the item.
    pub(crate) fn items(
        &mut self,
        mut each: impl FnMut(&mut Self, u32) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        match self.next()? {
            Token::Array => {}
            Token::Null => return Ok(()),
            other => return Err(self.unexpected("an array", other)),
        }
        let mut index = 0_u32;
        while self.peek()? != Token::ArrayEnd {
            each(self, index)?;
            index = index.saturating_add(1);
        }
        self.next().map(|_| ())
    }

    /// Reads an array like [`Json::items`], and skips any other value. For optional data, so that a report is not refused for
    /// data that other callers do not read.
    pub(crate) fn items_if_any(
        &mut self,
        each: impl FnMut(&mut Self, u32) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        if self.is_array()? {
            self.items(each)
        } else {
            self.skip()
        }
    }

    /// Reads a string. `None` if the value is not a string.
    pub(crate) fn string(&mut self) -> Result<Option<&str>, ReportError> {
        let is_string = self.scalar()? == Some(Token::String);
        Ok(is_string.then_some(self.text.as_str()))
    }

    /// Reads a non-negative whole number. `None` if the value is not one.
    pub(crate) fn integer<N: TryFrom<u64>>(&mut self) -> Result<Option<N>, ReportError> {
        match self.scalar()? {
            Some(Token::Number) => Ok(integer(self.text.as_bytes())),
            _ => Ok(None),
        }
    }

    /// Reads an object with counts in its members.
    pub(crate) fn stated<const N: usize>(
        &mut self,
        mut stated: Stated<N>,
        warnings: &mut Warnings,
    ) -> Result<Counters, ReportError> {
        self.members(|json| {
            match stated.number(json.key().as_bytes()) {
                Some((_, number)) => *number = json.integer()?,
                None => json.skip()?,
            }
            Ok(())
        })?;
        Ok(stated.counters(warnings))
    }

    /// Reads an object with a count in each member, which is an object with a `covered` number and a total.
    pub(crate) fn counters(
        &mut self,
        total: &'static str,
        warnings: &mut Warnings,
    ) -> Result<Counters, ReportError> {
        let mut counters = Counters::default();
        self.members(|json| match Counter::of_plural(json.key()) {
            Some(counter) => {
                let stated = Stated::of([(counter, "covered", total)]);
                counters.add_all(&json.stated(stated, warnings)?);
                Ok(())
            }
            None => json.skip(),
        })?;
        Ok(counters)
    }

    /// Reads a number of hits. `None` if the value is not a number.
    pub(crate) fn hits(&mut self) -> Result<Option<u64>, ReportError> {
        match self.scalar()? {
            Some(Token::Number) => Ok(Some(hits(self.text.as_bytes()))),
            _ => Ok(None),
        }
    }

    /// Reads a number of hits, or `null`.
    pub(crate) fn hits_or_null(&mut self) -> Result<Option<u64>, ReportError> {
        match self.next()? {
            Token::Null => Ok(None),
            Token::Number => Ok(Some(hits(self.text.as_bytes()))),
            other => Err(self.unexpected("a number or null", other)),
        }
    }

    /// Reads a number, as written.
    pub(crate) fn number(&mut self) -> Result<&str, ReportError> {
        match self.next()? {
            Token::Number => Ok(&self.text),
            other => Err(self.unexpected("a number", other)),
        }
    }

    /// Reads a value that is neither an object nor an array. For these, the error contains `expected`.
    pub(crate) fn value(&mut self, expected: &str) -> Result<Value<'_>, ReportError> {
        Ok(match self.next()? {
            Token::Null => Value::Null,
            Token::True => Value::Flag(true),
            Token::False => Value::Flag(false),
            Token::Number => Value::Number(&self.text),
            Token::String => Value::Text(&self.text),
            other => return Err(self.unexpected(expected, other)),
        })
    }

    /// Returns the error that the last key, text or number is not the expected one.
    pub(crate) fn refuse(&self, expected: &str) -> ReportError {
        let found = format!("\"{}\"", shown(self.text.as_bytes()));
        self.fail(ErrorKind::malformed(expected, found))
    }

    /// Reads a flag: `true` or a number other than 0 is set.
    pub(crate) fn is_so(&mut self) -> Result<bool, ReportError> {
        match self.scalar()? {
            Some(Token::True) => Ok(true),
            Some(Token::Number) => Ok(hits(self.text.as_bytes()) > 0),
            _ => Ok(false),
        }
    }

    pub(crate) fn is_array(&mut self) -> Result<bool, ReportError> {
        Ok(self.peek()? == Token::Array)
    }

    pub(crate) fn is_object(&mut self) -> Result<bool, ReportError> {
        Ok(self.peek()? == Token::Object)
    }

    pub(crate) fn skip(&mut self) -> Result<(), ReportError> {
        self.scalar().map(drop)
    }

    pub(crate) fn finish(&mut self) -> Result<(), ReportError> {
        match self.next()? {
            Token::End => Ok(()),
            other => Err(self.unexpected("the end of the file", other)),
        }
    }

    /// Reads a value. Returns its token unless it is an object or an array.
    fn scalar(&mut self) -> Result<Option<Token>, ReportError> {
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                Token::Object | Token::Array => depth += 1,
                Token::ObjectEnd | Token::ArrayEnd if depth > 1 => depth -= 1,
                Token::ObjectEnd | Token::ArrayEnd => return Ok(None),
                Token::End => return Err(self.unexpected("a value", Token::End)),
                token if depth == 0 => return Ok(Some(token)),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
