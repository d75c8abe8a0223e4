//! Looks ahead in JSON to recognise the format. The bytes are read again afterwards.

use super::Json;
use super::tokens::{MOST, Token, parser};
use crate::error::ReportError;
use crate::format::Format;

/// The maximum number of keys in the path of a deciding member.
const KEYS: usize = 3;

impl Json<'_> {
    /// Calls `claims` with the path of keys of each member, outermost first, until it returns the format. Arrays are not part of
    /// a path: in `{"a": [{"b": 1}]}` the path of 1 is `a`, `b`. The values themselves have the names `[` and `{}`:
    /// `{"a": [], "b": {}}` also has the paths `a`, `[` and `b`, `{}`.
    pub(crate) fn preview(
        &mut self,
        mut claims: impl FnMut(&[&str]) -> Option<Format>,
    ) -> Result<Option<Format>, ReportError> {
        self.input.mark();
        let format = self.look(&mut claims)?;
        self.input.rewind();
        self.parser = parser(&self.limits);
        self.parsed = 0;
        self.depth = 0;
        Ok(format)
    }

    fn look(
        &mut self,
        claims: &mut impl FnMut(&[&str]) -> Option<Format>,
    ) -> Result<Option<Format>, ReportError> {
        let mut keys: Vec<String> = Vec::new();
        let mut objects = 0_usize;
        let mut is_after_start = false;
        while self.input.since_mark() < MOST {
            let token = self.next()?;
            let is_empty = token == Token::ObjectEnd && is_after_start;
            is_after_start = token == Token::Object;
            match token {
                Token::Object => objects += 1,
                Token::ObjectEnd => objects = objects.saturating_sub(1),
                Token::End => break,
                _ => {}
            }
            let (depth, name) = match token {
                Token::Key => (objects.saturating_sub(1), std::mem::take(&mut self.text)),
                Token::Array if objects > 0 => (objects, "[".to_owned()),
                Token::ObjectEnd if is_empty && objects > 0 => (objects, "{}".to_owned()),
                _ => continue,
            };
            if depth >= KEYS {
                continue;
            }
            keys.truncate(depth);
            keys.push(name);
            let path: Vec<&str> = keys.iter().map(String::as_str).collect();
            if let Some(format) = claims(&path) {
                return Ok(Some(format));
            }
        }
        Ok(None)
    }
}
