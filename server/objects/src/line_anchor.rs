//! Finds the anchor of a line in the page that a coverage tool wrote for a source file.

#[cfg(test)]
mod tests;

use super::{ReportObject, ReportsError};
use flate2::read::DeflateDecoder;
use std::io::{self, Read};

/// The searched part of a page, in bytes. The link to a line beyond it has no anchor.
const SEARCHED_BYTES: u64 = 32 << 20;

/// Bytes per read.
const CHUNK: usize = 64 << 10;

/// The bytes kept from one read to the next: more than the longest attribute with an anchor, which may be cut in two.
const OVERLAP: usize = 64;

/// The prefixes of a line's number.
const PREFIXES: [&str; 6] = [
    "t",          // coverage.py
    "n",          // coverage.py before version 5.0
    "L",          // genhtml, istanbul, JaCoCo and llvm-cov
    "l",          // gcovr
    "file0_line", // ReportGenerator
    "",           // PHPUnit and grcov
];

impl ReportObject {
    /// Returns the anchor of a line on the page at `path`, without `#`. `None` if there is no such page, or if the page has no
    /// anchor for the line. Blocks the thread.
    ///
    /// # Errors
    ///
    /// If the storage fails, or if the page is damaged.
    pub fn anchor(&self, path: &str, line: u32) -> Result<Option<String>, ReportsError> {
        let Some(entry) = self.entry(path)? else {
            return Ok(None);
        };
        let stored = self.stored(entry);
        Ok(match entry.deflated {
            true => find(DeflateDecoder::new(stored), line)?,
            false => find(stored, line)?,
        })
    }
}

fn find(page: impl Read, line: u32) -> io::Result<Option<String>> {
    let anchors = PREFIXES.map(|prefix| format!("{prefix}{line}"));
    let mut page = page.take(SEARCHED_BYTES);
    let mut window = Vec::with_capacity(CHUNK + OVERLAP);
    loop {
        let read = page.by_ref().take(CHUNK as u64).read_to_end(&mut window)?;
        let found = attributes(&window).find_map(|value| {
            anchors.iter().find(|anchor| {
                value
                    .strip_prefix(anchor.as_bytes())
                    .is_some_and(|rest| rest.first().is_some_and(|byte| ends_value(*byte)))
            })
        });
        if let Some(found) = found {
            return Ok(Some(found.clone()));
        }
        if read == 0 {
            return Ok(None);
        }
        window.drain(..window.len().saturating_sub(OVERLAP));
    }
}

/// Returns the bytes after each attribute name `id=` and `name=`, up to the end of `html`, without the opening quotation mark.
fn attributes(html: &[u8]) -> impl Iterator<Item = &[u8]> {
    let equals = html.iter().enumerate().filter(|(_, byte)| **byte == b'=');
    equals.filter_map(|(at, _)| {
        let (before, after) = (html.get(..at)?, html.get(at + 1..)?);
        let name = before
            .strip_suffix(b"id")
            .or(before.strip_suffix(b"name"))?;
        let is_attribute = name.last().is_some_and(u8::is_ascii_whitespace);
        let quote = after.first().filter(|byte| matches!(byte, b'"' | b'\''));
        is_attribute.then(|| match quote {
            Some(_) => &after[1..],
            None => after,
        })
    })
}

fn ends_value(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'>' | b'/') || byte.is_ascii_whitespace()
}
