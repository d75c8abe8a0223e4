//! Go cover profile: `mode: set`, then a line for each block, `path:line.column,line.column statements count`.
//!
//! The total is in statements, as in `go test -cover` and `go tool cover -func`. A block that appears again, from another
//! package's tests, counts once and is covered if any occurrence is covered. A file of several profiles has several `mode`
//! lines.
//!
//! The lines of a block are all lines in its span. A line is covered if any of its blocks is covered. goveralls and
//! gocover-cobertura count lines in the same way; Go itself does not count lines.
//!
//! Go ends every line, so a file whose last line has no end was cut off. A file that is cut off exactly between two lines
//! cannot be distinguished from a complete one.
//!
//! Source: <https://pkg.go.dev/golang.org/x/tools/cover>, `ParseProfiles`.

use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::Span;
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::text::Text;

/// Some tools drop the `mode` line when they merge profiles.
pub(super) fn claims(line: &[u8]) -> bool {
    let modes: [&[u8]; 3] = [b"mode: set", b"mode: count", b"mode: atomic"];
    modes.contains(&line) || Block::parse(line).is_some()
}

pub(super) fn read(text: &mut Text<'_>, found: &mut Findings) -> Result<(), ReportError> {
    found.total = &[Counter::Statement];
    loop {
        let line = text.line();
        match Block::parse(line) {
            _ if !text.is_terminated => return Err(text.cut_off("the end of the line")),
            Some(block) => {
                if !found.files.is_at(block.path) {
                    found.files.enter(&String::from_utf8_lossy(block.path));
                }
                found.files.block(block.span, block.statements, block.hits);
            }
            None if line.is_empty() || line.starts_with(b"mode:") => {}
            None => return Err(text.malformed("path:line.column,line.column statements count")),
        }
        if !text.advance()? {
            return Ok(());
        }
    }
}

struct Block<'t> {
    path: &'t [u8],
    span: Span,
    statements: u32,
    hits: u64,
}

impl<'t> Block<'t> {
    /// Reads from the end, because a path may contain anything.
    #[inline]
    fn parse(line: &'t [u8]) -> Option<Self> {
        let (line, count) = split_last(line, b' ')?;
        let (line, statements) = split_last(line, b' ')?;
        let (path, span) = split_last(line, b':')?;
        let (start, end) = split_last(span, b',')?;
        let is_number = !count.is_empty() && count.iter().all(u8::is_ascii_digit);
        is_number.then_some(Self {
            path,
            span: Span {
                start: place(start)?,
                end: place(end)?,
            },
            statements: integer(statements)?,
            hits: hits(count),
        })
    }
}

/// Reads `line.column`.
#[inline]
fn place(text: &[u8]) -> Option<(u32, u32)> {
    let (line, column) = split_last(text, b'.')?;
    Some((integer(line)?, integer(column)?))
}

#[inline]
fn split_last(text: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = memchr::memrchr(separator, text)?;
    Some((&text[..at], &text[at + 1..]))
}

#[cfg(test)]
mod tests;
