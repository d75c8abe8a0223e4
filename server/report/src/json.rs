//! JSON as the formats need it: members of objects and items of arrays, one at a time, within limits.
//!
//! The interface to json-event-parser, and only this module, knows it. A value is read like this:
//!
//! ```text
//! json.members(|json, key| match key {
//!     "files" => json.members(|json, path| …),
//!     "version" => { tool.version = json.string()?; Ok(()) }
//!     _ => json.skip(),
//! })
//! ```
//!
//! Whoever is handed a value reads it to its end, by one of these. Where a number or text is expected and something else
//! is there, it is passed over and there is none; `null` is an object or array without anything in it.

mod preview;

use std::collections::VecDeque;

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
    depth: usize,
    /// The key, string or number read last.
    text: String,
    /// Where the token read last is in the window.
    token: usize,
    /// Tokens that were read ahead, and their texts.
    ahead: VecDeque<(Token, String)>,
    /// The key read last, for errors.
    key: Option<String>,
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
    /// `true`, `false` or `null`.
    Constant,
    End,
}

impl<'a> Json<'a> {
    pub(crate) fn open(input: Input<'a>, limits: &Limits) -> Self {
        Self {
            input,
            parser: LowLevelJsonParser::new().with_max_stack_size(limits.depth + 1),
            format: None,
            limits: limits.clone(),
            depth: 0,
            text: String::new(),
            token: 0,
            ahead: VecDeque::new(),
            key: None,
        }
    }

    /// Errors name this format from here on.
    pub(crate) fn set_format(&mut self, format: Format) {
        self.format = Some(format);
    }

    /// Reads an object; `each` is called with the key of every member and reads its value.
    pub(crate) fn members(
        &mut self,
        mut each: impl FnMut(&mut Self, &str) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        match self.next()? {
            Token::Object => {}
            Token::Constant => return Ok(()),
            other => return Err(self.unexpected("an object", other)),
        }
        loop {
            match self.next()? {
                Token::Key => {
                    let key = std::mem::take(&mut self.text);
                    let outer = self.key.replace(shown(key.as_bytes()));
                    each(self, &key)?;
                    self.key = outer;
                }
                Token::ObjectEnd => return Ok(()),
                other => return Err(self.unexpected("a key", other)),
            }
        }
    }

    /// Reads an array; `each` is called before every item and reads it.
    pub(crate) fn items(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        match self.next()? {
            Token::Array => {}
            Token::Constant => return Ok(()),
            other => return Err(self.unexpected("an array", other)),
        }
        loop {
            let token = self.next()?;
            if token == Token::ArrayEnd {
                return Ok(());
            }
            self.put_back(token);
            each(self)?;
        }
    }

    /// Reads a string; `None` if the value is none.
    pub(crate) fn string(&mut self) -> Result<Option<String>, ReportError> {
        match self.scalar()? {
            Some(Token::String) => Ok(Some(std::mem::take(&mut self.text))),
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

    /// Whether the value is an array.
    pub(crate) fn is_array(&mut self) -> Result<bool, ReportError> {
        let token = self.next()?;
        self.put_back(token);
        Ok(token == Token::Array)
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

    /// An error at the token read last.
    pub(crate) fn fail(&self, kind: ErrorKind) -> ReportError {
        ReportError {
            format: self.format,
            position: self.input.position_of(self.token),
            element: self.key.as_ref().map(|key| format!("\"{key}\"")),
            kind,
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

    fn put_back(&mut self, token: Token) {
        let text = std::mem::take(&mut self.text);
        self.ahead.push_front((token, text));
    }

    #[inline]
    fn next(&mut self) -> Result<Token, ReportError> {
        match self.ahead.pop_front() {
            Some((token, text)) => {
                self.text = text;
                Ok(token)
            }
            None => self.parse(),
        }
    }

    fn parse(&mut self) -> Result<Token, ReportError> {
        loop {
            let rest = self.input.rest();
            let is_ending = self.input.is_ended();
            let before = rest.len();
            let parsed = self.parser.parse_next(rest, is_ending);
            let (len, event) = (parsed.consumed_bytes, parsed.event);
            let token = match event {
                None => None,
                Some(Ok(event)) => Some(Ok(token_of(event, &mut self.text))),
                Some(Err(error)) => Some(Err(error.message().to_owned())),
            };
            let place = self.input.consume(len);
            self.token = place.end;
            match token {
                Some(Ok(token)) => {
                    // Longer than the window was, unless white space made it so.
                    let checked = self.input.check_token(self.text.len());
                    checked.map_err(|kind| self.fail(kind))?;
                    self.track(token)?;
                    return Ok(token);
                }
                Some(Err(_)) if is_ending && len == before => {
                    return Err(self.cut_off());
                }
                Some(Err(message)) => {
                    self.token = place.start;
                    return Err(self.fail(ErrorKind::Malformed {
                        expected: "JSON".to_owned(),
                        found: message,
                    }));
                }
                None => {
                    let more = self.input.more();
                    more.map_err(|kind| self.fail(kind))?;
                    self.token = 0;
                }
            }
        }
    }

    fn track(&mut self, token: Token) -> Result<(), ReportError> {
        match token {
            Token::Object | Token::Array => self.depth += 1,
            Token::ObjectEnd | Token::ArrayEnd => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if self.depth > self.limits.depth {
            return Err(self.fail(ErrorKind::TooDeep(self.limits.depth)));
        }
        Ok(())
    }

    fn cut_off(&self) -> ReportError {
        self.fail(ErrorKind::CutOff {
            expected: "the rest of the JSON".to_owned(),
        })
    }

    fn unexpected(&self, expected: &str, found: Token) -> ReportError {
        self.fail(ErrorKind::Malformed {
            expected: expected.to_owned(),
            found: found.described().to_owned(),
        })
    }
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
            Self::Constant => "true, false or null",
            Self::End => "the end of the file",
        }
    }
}

/// The kind of an event; its text goes to `text`.
fn token_of(event: JsonEvent<'_>, text: &mut String) -> Token {
    text.clear();
    match event {
        JsonEvent::StartObject => Token::Object,
        JsonEvent::EndObject => Token::ObjectEnd,
        JsonEvent::StartArray => Token::Array,
        JsonEvent::EndArray => Token::ArrayEnd,
        JsonEvent::ObjectKey(key) => {
            text.push_str(&key);
            Token::Key
        }
        JsonEvent::String(string) => {
            text.push_str(&string);
            Token::String
        }
        JsonEvent::Number(number) => {
            text.push_str(&number);
            Token::Number
        }
        JsonEvent::Boolean(_) | JsonEvent::Null => Token::Constant,
        JsonEvent::Eof => Token::End,
    }
}
