//! Reads the tokens of JSON with json-event-parser, and returns errors.

use json_event_parser::{JsonEvent, LowLevelJsonParser};

use super::Json;
use crate::error::{ErrorKind, ReportError, harmless, shown};
use crate::limits::Limits;

/// The most bytes of the preview. Tools write the deciding keys within the first few hundred bytes. If the keys were sorted
/// later, they may come after all data of one file.
pub(super) const MOST: usize = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
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

impl Json<'_> {
    pub(super) fn peek(&mut self) -> Result<Token, ReportError> {
        let token = self.next()?;
        self.peeked = Some(token);
        Ok(token)
    }

    #[inline]
    pub(super) fn next(&mut self) -> Result<Token, ReportError> {
        match self.peeked.take() {
            Some(token) => Ok(token),
            None => self.parse(),
        }
    }

    fn parse(&mut self) -> Result<Token, ReportError> {
        loop {
            let is_ending = self.input.is_ended;
            let parsed = self.parser.parse_next(self.input.rest(), is_ending);
            self.parsed += parsed.consumed_bytes as u64;
            let token = parsed.event.map(|event| match event {
                Ok(event) => Ok(token_of(event, &mut self.text)),
                Err(error) => {
                    // A wrong token is in the consumed bytes; a missing one is after them.
                    let is_cut_off = is_ending && error.location().start.offset >= self.parsed;
                    Err((is_cut_off, harmless(error.message())))
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
                    return Err(self.fail(ErrorKind::malformed("JSON", found)));
                }
                // Endless white space ends the preview, because all of it would be kept for the rewind.
                None if self.input.since_mark() >= MOST => return Ok(Token::End),
                None => {
                    self.read_more()?;
                }
            }
        }
    }

    /// Refuses a token that exceeds the limits. A text can exceed them even if it fits into the window.
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

    pub(super) fn unexpected(&self, expected: &str, found: Token) -> ReportError {
        self.fail(ErrorKind::malformed(expected, found.described()))
    }

    pub(super) fn fail(&self, kind: ErrorKind) -> ReportError {
        let token = self.input.get(self.token.clone());
        let is_between = |byte: &&u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b':');
        let before = token.iter().take_while(is_between).count();
        let place = self.token.start + before;
        self.input.fail_at(place, self.current(), kind)
    }

    pub(super) fn fail_here(&self, kind: ErrorKind) -> ReportError {
        self.input.fail_here(self.current(), kind)
    }

    pub(super) fn cut_off(&mut self) -> ReportError {
        self.input.consume(self.input.rest().len());
        self.fail_here(ErrorKind::CutOff {
            expected: "the end of the JSON".to_owned(),
        })
    }

    /// The innermost open member, for errors.
    fn current(&self) -> Option<String> {
        self.open_keys.last()?;
        Some(format!("\"{}\"", shown(self.key().as_bytes())))
    }
}

/// Allows one level more than the limit, so that this module returns the error.
pub(super) fn parser(limits: &Limits) -> LowLevelJsonParser {
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

/// Returns the kind of an event, and puts its text into `text`.
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
