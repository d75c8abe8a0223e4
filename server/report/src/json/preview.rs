//! Looks ahead in JSON to recognise the format. The bytes are read again afterwards.

use super::Json;
use super::tokens::{Token, parser};
use crate::error::{ErrorKind, Failure, Position, ReportError};
use crate::format::Format;

/// The number of bytes to look at. Tools write the deciding keys within the first few hundred bytes. If the keys were sorted
/// later, they may come after all data of one file.
pub(super) const MOST: usize = 1 << 20;

/// The maximum number of keys in the path of a deciding member.
const KEYS: usize = 3;

impl Json<'_> {
    /// Calls `claims` with the path of keys of each member, outermost first, until it returns the format.
    /// Arrays are ignored: in `{"a": [{"b": 1}]}` the path of 1 is `a`, `b`.
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
