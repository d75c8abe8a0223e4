//! Why a report was refused.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::format::Format;

/// Why a report was refused, and where in it.
///
/// Its message is one sentence that the person who wrote the report can act on:
/// `cobertura: line 12: expected </class>, the file ends`.
#[derive(Debug, Clone)]
pub struct ReportError {
    format: Option<Format>,
    line: u64,
    offset: u64,
    kind: ErrorKind,
}

/// What was wrong.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ErrorKind {
    /// The input failed; the fault is not in the report.
    #[error("the report could not be read")]
    Read(#[source] Arc<io::Error>),
    /// There is nothing, or only white space.
    #[error("the file is empty")]
    Empty,
    /// The first thing that is not white space starts no XML.
    #[error("expected XML, found {0}")]
    NotXml(&'static str),
    /// XML of a well-known kind that this crate does not read.
    #[error("root element <{root}> is {what}; accepted are {}", Accepted)]
    Unaccepted {
        /// Local name of the root element.
        root: String,
        /// What has such a root.
        what: &'static str,
    },
    /// XML of no known kind.
    #[error(
        "root element <{root}> is no coverage report of a known format; accepted are {}",
        Accepted
    )]
    Unknown {
        /// Local name of the root element.
        root: String,
    },
    /// The input ends inside the document.
    #[error("expected {expected}, the file ends")]
    CutOff {
        /// What would have had to follow.
        expected: String,
    },
    /// The XML is not well-formed.
    #[error("expected {expected}, found {found}")]
    Malformed {
        /// What would have been right.
        expected: String,
        /// What is there.
        found: String,
    },
    /// The DOCTYPE declares entities: no report needs them, attacks do.
    #[error("the DOCTYPE declares an ENTITY, which is not accepted")]
    Entity,
    /// The XML declaration names an encoding in which not even ASCII reads as ASCII.
    #[error("encoding {0} is not supported, UTF-8 is")]
    Encoding(String),
    /// More elements open than [`Limits::depth`](crate::Limits::depth).
    #[error("elements are nested deeper than {0}")]
    TooDeep(usize),
    /// A token is longer than [`Limits::token_bytes`](crate::Limits::token_bytes).
    #[error("a tag, text or comment is longer than {0} bytes")]
    TokenTooLong(usize),
    /// An element name is longer than [`Limits::name_bytes`](crate::Limits::name_bytes).
    #[error("an element name is longer than {0} bytes")]
    NameTooLong(usize),
    /// No total is stated, and the lines listed are too many to count
    /// within [`Limits::line_blocks`](crate::Limits::line_blocks).
    #[error("no total is stated, and the lines are too many to count (over {0} blocks of 64)")]
    TooManyLines(usize),
}

impl ReportError {
    pub(crate) fn new(format: Option<Format>, line: u64, offset: u64, kind: ErrorKind) -> Self {
        Self {
            format,
            line,
            offset,
            kind,
        }
    }

    /// The format, if the input was recognised before it went wrong.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// The line that reading had reached, from 1.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.line
    }

    /// How far reading had come, in bytes of the text as UTF-8, not counting a byte order mark.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// What was wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(format) = self.format {
            write!(f, "{format}: ")?;
        }
        write!(f, "line {}: {}", self.line, self.kind)
    }
}

impl std::error::Error for ReportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.kind.source()
    }
}

/// The accepted formats as a list for a sentence: `Cobertura, JaCoCo and Clover`.
struct Accepted;

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = Format::ALL.len() - 1;
        for (index, format) in Format::ALL.iter().enumerate() {
            f.write_str(match index {
                0 => "",
                _ if index == last => " and ",
                _ => ", ",
            })?;
            f.write_str(format.title())?;
        }
        Ok(())
    }
}

/// Names out of a report as messages may show them: short, and without control characters.
pub(crate) fn shown(name: &[u8]) -> String {
    const MOST: usize = 60;
    let name = String::from_utf8_lossy(name);
    let mut shown: String = name
        .chars()
        .take(MOST)
        .flat_map(char::escape_debug)
        .collect();
    if name.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}
