//! Looking ahead in JSON to recognise what it is; what was looked at is read again afterwards.

use super::{Json, Token};
use crate::error::{ErrorKind, Position, ReportError};
use crate::formats::Format;

/// So many tokens are looked at. What decides stands among the first few in all formats.
const TOKENS: usize = 4096;

impl Json<'_> {
    /// Asks `claims` about the keys of every member of the outermost object and of the objects in it,
    /// until it knows the format. Arrays make no difference: `{"a": [{"b": 1}]}` has the keys `a` and `a`, `b`.
    pub(crate) fn preview(
        &mut self,
        claims: impl Fn(&[&str]) -> Option<Format>,
    ) -> Result<Option<Format>, ReportError> {
        let mut seen = Vec::new();
        let format = self.look(&mut seen, claims);
        self.ahead.extend(seen);
        format
    }

    fn look(
        &mut self,
        seen: &mut Vec<(Token, String)>,
        claims: impl Fn(&[&str]) -> Option<Format>,
    ) -> Result<Option<Format>, ReportError> {
        let mut outer = String::new();
        let mut objects = 0_usize;
        while seen.len() < TOKENS {
            let token = self.next()?;
            let text = std::mem::take(&mut self.text);
            let recognised = match (token, objects) {
                (Token::Key, 1) => {
                    outer.clone_from(&text);
                    claims(&[&text])
                }
                (Token::Key, 2) => claims(&[&outer, &text]),
                _ => None,
            };
            match token {
                Token::Object => objects += 1,
                Token::ObjectEnd => objects = objects.saturating_sub(1),
                _ => {}
            }
            seen.push((token, text));
            if recognised.is_some() {
                return Ok(recognised);
            }
            if token == Token::End {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// An error about the document as a whole.
    pub(crate) fn fail_at_start(&self, kind: ErrorKind) -> ReportError {
        ReportError {
            format: None,
            position: Position { line: 1, offset: 0 },
            element: None,
            kind,
        }
    }
}
