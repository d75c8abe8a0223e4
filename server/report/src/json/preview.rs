//! Looking ahead in JSON to recognise what it is; what was looked at is read again afterwards.

use super::Json;
use super::tokens::{Token, parser};
use crate::error::{ErrorKind, Failure, Position, ReportError};
use crate::format::Format;

/// So many bytes are looked at. What decides stands among the first few hundred in reports as tools write them;
/// in one whose keys were sorted later it can stand behind all that is said of one file.
pub(super) const MOST: usize = 1 << 20;

/// So many keys lead to the members that decide.
const KEYS: usize = 3;

impl Json<'_> {
    /// Asks `claims` about the keys that lead to a member, outermost first, for one member after the other
    /// until it knows the format. Arrays make no difference: in `{"a": [{"b": 1}]}` the keys `a` and `b` lead to 1.
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
        while self.input.since_mark() < MOST {
            match self.next()? {
                Token::Object => objects += 1,
                Token::ObjectEnd => objects = objects.saturating_sub(1),
                Token::Key if objects <= KEYS => {
                    keys.truncate(objects.saturating_sub(1));
                    keys.push(std::mem::take(&mut self.text));
                    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
                    if let Some(format) = claims(&keys) {
                        return Ok(Some(format));
                    }
                }
                Token::End => break,
                _ => {}
            }
        }
        Ok(None)
    }

    /// An error about the document as a whole.
    pub(crate) fn fail_at_start(&self, kind: ErrorKind) -> ReportError {
        Failure {
            format: None,
            position: Position::START,
            element: None,
            kind,
        }
        .into()
    }
}
