//! JSON as the formats need it: members of objects and items of arrays, one at a time, within limits.
//!
//! The interface to json-event-parser, and only this module, knows it. A value is read like this:
//!
//! ```text
//! json.members(|json| match json.key() {
//!     "files" => json.members(|json| { found.files.enter(json.key()); … }),
//!     "version" => { version = json.integer()?; Ok(()) }
//!     _ => json.skip(),
//! })
//! ```
//!
//! Whoever is handed a value reads it to its end, by one of these. Where a number or text is expected and something else
//! is there, it is passed over and there is none; `null` is an object or array without anything in it.

mod preview;

use std::ops::Range;

use json_event_parser::{JsonEvent, LowLevelJsonParser};

use crate::error::{ErrorKind, ReportError, shown};
use crate::formats::Format;
use crate::input::Input;
use crate::limits::Limits;
use crate::number::{hits, integer};

/// A reader of JSON, standing before a value.
pub(crate) struct Json<'a> {
    input: Input<'a>,
    parser: LowLevelJsonParser,
    format: Option<Format>,
    limits: Limits,
    /// Bytes that the parser has consumed.
    parsed: u64,
    depth: usize,
    /// The key, string or number read last.
    text: String,
    /// Where the token read last is in the window, with the white space, comma or colon before it.
    token: Range<usize>,
    /// A token that was looked at and not taken; its text is `text`.
    peeked: Option<Token>,
    /// The keys of the members that are being read, one after the other, and where each starts.
    keys: String,
    open_keys: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Object,
    ObjectEnd,
    Array,
    ArrayEnd,
    Key,
    String,
    Number,
    True,
    False,
    Null,
    End,
}

impl<'a> Json<'a> {
    pub(crate) fn open(input: Input<'a>, limits: &Limits) -> Self {
        Self {
            input,
            parser: parser(limits),
            format: None,
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

    /// Errors name this format from here on.
    pub(crate) fn set_format(&mut self, format: Format) {
        self.format = Some(format);
    }

    /// Reads an object; `each` is called for every member, reads its value, and may ask for its [`Json::key`].
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

    /// The key of the innermost member that is being read.
    #[inline]
    pub(crate) fn key(&self) -> &str {
        let start = self.open_keys.last().copied().unwrap_or_default();
        &self.keys[start..]
    }

    /// Reads an array; `each` is called before every item and reads it.
    pub(crate) fn items(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        match self.next()? {
            Token::Array => {}
            Token::Null => return Ok(()),
            other => return Err(self.unexpected("an array", other)),
        }
        while self.peek()? != Token::ArrayEnd {
            each(self)?;
        }
        self.next().map(|_| ())
    }

    /// Reads a string; `None` if the value is none.
    pub(crate) fn string(&mut self) -> Result<Option<&str>, ReportError> {
        match self.scalar()? {
            Some(Token::String) => Ok(Some(&self.text)),
            _ => Ok(None),
        }
    }

    /// Reads a whole number that is not negative; `None` if the value is none.
    pub(crate) fn integer<N: TryFrom<u64>>(&mut self) -> Result<Option<N>, ReportError> {
        match self.scalar()? {
            Some(Token::Number) => Ok(integer(self.text.as_bytes())),
            _ => Ok(None),
        }
    }

    /// Reads a number of hits; `None` if the value is no number.
    pub(crate) fn hits(&mut self) -> Result<Option<u64>, ReportError> {
        match self.scalar()? {
            Some(Token::Number) => Ok(Some(hits(self.text.as_bytes()))),
            _ => Ok(None),
        }
    }

    /// Reads whether something is so: `true`, or a number other than 0.
    pub(crate) fn is_so(&mut self) -> Result<bool, ReportError> {
        match self.scalar()? {
            Some(Token::True) => Ok(true),
            Some(Token::Number) => Ok(hits(self.text.as_bytes()) > 0),
            _ => Ok(false),
        }
    }

    /// Whether the value is an array.
    pub(crate) fn is_array(&mut self) -> Result<bool, ReportError> {
        Ok(self.peek()? == Token::Array)
    }

    /// Whether the value is an object.
    pub(crate) fn is_object(&mut self) -> Result<bool, ReportError> {
        Ok(self.peek()? == Token::Object)
    }

    /// Passes over a value.
    pub(crate) fn skip(&mut self) -> Result<(), ReportError> {
        self.scalar().map(|_| ())
    }

    /// Reads to the end of the input.
    pub(crate) fn finish(&mut self) -> Result<(), ReportError> {
        match self.next()? {
            Token::End => Ok(()),
            other => Err(self.unexpected("the end of the file", other)),
        }
    }

    /// Reads a value and tells what it is if it is neither object nor array.
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

    fn peek(&mut self) -> Result<Token, ReportError> {
        let token = self.next()?;
        self.peeked = Some(token);
        Ok(token)
    }

    #[inline]
    fn next(&mut self) -> Result<Token, ReportError> {
        match self.peeked.take() {
            Some(token) => Ok(token),
            None => self.parse(),
        }
    }

    fn parse(&mut self) -> Result<Token, ReportError> {
        loop {
            let is_ending = self.input.is_ended();
            let parsed = self.parser.parse_next(self.input.rest(), is_ending);
            self.parsed += parsed.consumed_bytes as u64;
            let token = parsed.event.map(|event| match event {
                Ok(event) => Ok(token_of(event, &mut self.text)),
                Err(error) => {
                    // What is wrong lies in what was consumed; what is missing does not.
                    let is_cut_off = is_ending && error.location().start.offset >= self.parsed;
                    Err((is_cut_off, error.message().to_owned()))
                }
            });
            self.token = self.input.consume(parsed.consumed_bytes);
            match token {
                Some(Ok(token)) => {
                    self.check(token)?;
                    return Ok(token);
                }
                Some(Err((true, _))) => return Err(self.cut_off()),
                Some(Err((false, found))) => {
                    return Err(self.fail(ErrorKind::Malformed {
                        expected: "JSON".to_owned(),
                        found,
                    }));
                }
                None => {
                    self.token = 0..0;
                    let more = self.input.more();
                    more.map_err(|kind| self.fail_here(kind))?;
                }
            }
        }
    }

    /// Refuses a token that is over the limits: text can be that and yet lie in one window.
    #[inline]
    fn check(&mut self, token: Token) -> Result<(), ReportError> {
        match token {
            Token::Object | Token::Array => {
                self.depth += 1;
                if self.depth > self.limits.depth {
                    return Err(self.fail(ErrorKind::TooDeep(self.limits.depth)));
                }
            }
            Token::ObjectEnd | Token::ArrayEnd => self.depth = self.depth.saturating_sub(1),
            Token::Key | Token::String | Token::Number => {
                let checked = self.input.check_token(self.text.len());
                checked.map_err(|kind| self.fail(kind))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn unexpected(&self, expected: &str, found: Token) -> ReportError {
        self.fail(ErrorKind::Malformed {
            expected: expected.to_owned(),
            found: found.described().to_owned(),
        })
    }

    /// An error at the token read last.
    fn fail(&self, kind: ErrorKind) -> ReportError {
        let token = self.input.get(self.token.clone());
        let is_between = |byte: &&u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b':');
        let before = token.iter().take_while(is_between).count();
        ReportError {
            format: self.format,
            position: self.input.position_of(self.token.start + before),
            element: self.member(),
            kind,
        }
    }

    /// An error at the place that reading has reached.
    fn fail_here(&self, kind: ErrorKind) -> ReportError {
        ReportError {
            format: self.format,
            position: self.input.position(),
            element: self.member(),
            kind,
        }
    }

    fn cut_off(&mut self) -> ReportError {
        self.input.consume(self.input.rest().len());
        self.fail_here(ErrorKind::CutOff {
            expected: "the end of the JSON".to_owned(),
        })
    }

    /// The innermost member that is being read, for errors.
    fn member(&self) -> Option<String> {
        self.open_keys.last()?;
        Some(format!("\"{}\"", shown(self.key().as_bytes())))
    }
}

/// One level more than the limit, so that it is this module that refuses.
fn parser(limits: &Limits) -> LowLevelJsonParser {
    LowLevelJsonParser::new().with_max_stack_size(limits.depth + 1)
}

impl Token {
    fn described(self) -> &'static str {
        match self {
            Self::Object => "an object",
            Self::Array => "an array",
            Self::ObjectEnd => "the end of an object",
            Self::ArrayEnd => "the end of an array",
            Self::Key => "a key",
            Self::String => "a string",
            Self::Number => "a number",
            Self::True => "true",
            Self::False => "false",
            Self::Null => "null",
            Self::End => "the end of the file",
        }
    }
}

/// The kind of an event; its text goes to `text`.
#[inline]
fn token_of(event: JsonEvent<'_>, text: &mut String) -> Token {
    let (token, new) = match event {
        JsonEvent::StartObject => return Token::Object,
        JsonEvent::EndObject => return Token::ObjectEnd,
        JsonEvent::StartArray => return Token::Array,
        JsonEvent::EndArray => return Token::ArrayEnd,
        JsonEvent::Boolean(true) => return Token::True,
        JsonEvent::Boolean(false) => return Token::False,
        JsonEvent::Null => return Token::Null,
        JsonEvent::Eof => return Token::End,
        JsonEvent::ObjectKey(key) => (Token::Key, key),
        JsonEvent::String(string) => (Token::String, string),
        JsonEvent::Number(number) => (Token::Number, number),
    };
    text.clear();
    text.push_str(&new);
    token
}

#[cfg(test)]
mod tests;
