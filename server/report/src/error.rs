//! Why a report was refused.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::format::Format;

/// Why a report was refused, and where in it.
///
/// Its message is one sentence that the person who wrote the report can act on:
/// `cobertura: line 12, byte 480, in <class>: expected </class>, the file ends`.
#[derive(Debug, Clone)]
pub struct ReportError(Box<Failure>);

/// What an error is made of. In a box, it takes little of the stack of readers, which call themselves for every element
/// that is open.
#[derive(Debug, Clone)]
pub(crate) struct Failure {
    pub(crate) format: Option<Format>,
    pub(crate) position: Position,
    pub(crate) element: Option<String>,
    pub(crate) kind: ErrorKind,
}

/// A place in the text of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// Bytes before it, of the text as UTF-8, not counting a byte order mark.
    pub offset: u64,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, offset: 0 };
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
    /// It is text, or something binary, that no format begins like.
    #[error(
        "found {found}, which is no coverage report of a known format; accepted are {}",
        Accepted
    )]
    UnknownText {
        /// What it looks like, or how it begins.
        found: String,
    },
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
    /// Something is not as XML, JSON or the format has it.
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
    /// The XML declaration names an encoding that is not known, and in which not even ASCII reads as ASCII.
    #[error("encoding {0} is not supported, UTF-8 is")]
    Encoding(String),
    /// More is open than [`Limits::depth`](crate::Limits::depth).
    #[error("it is nested deeper than {0}")]
    TooDeep(usize),
    /// A token is longer than [`Limits::token_bytes`](crate::Limits::token_bytes).
    #[error("a tag, text or line is longer than {0} bytes")]
    TokenTooLong(usize),
    /// An element name is longer than [`Limits::name_bytes`](crate::Limits::name_bytes).
    #[error("an element name is longer than {0} bytes")]
    NameTooLong(usize),
    /// No total is stated, and the files are too many to add up
    /// within [`Limits::memory_bytes`](crate::Limits::memory_bytes).
    #[error("no total is stated, and the files are too many to add up within {0} bytes")]
    TooManyFiles(usize),
}

impl From<Failure> for ReportError {
    #[cold]
    fn from(failure: Failure) -> Self {
        Self(Box::new(failure))
    }
}

impl ReportError {
    /// The format, if the input was recognised before it went wrong.
    #[must_use]
    pub fn format(&self) -> Option<Format> {
        self.0.format
    }

    /// Where it went wrong: where the piece begins that is wrong, or where the input ends too early.
    #[must_use]
    pub fn position(&self) -> Position {
        self.0.position
    }

    /// The innermost element, member or record that the place is in, shortened if it is long:
    /// `<class>` in XML, `"files"` in JSON, `SF:a.c` in LCOV.
    #[must_use]
    pub fn element(&self) -> Option<&str> {
        self.0.element.as_deref()
    }

    /// What was wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }
}

impl fmt::Display for ReportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(format) = self.0.format {
            write!(f, "{format}: ")?;
        }
        let Position { line, offset } = self.0.position;
        write!(f, "line {line}, byte {offset}")?;
        if let Some(element) = &self.0.element {
            write!(f, ", in {element}")?;
        }
        write!(f, ": {}", self.0.kind)
    }
}

impl std::error::Error for ReportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.kind.source()
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

/// What another crate says is wrong, without the control characters that it may quote.
pub(crate) fn harmless(message: &str) -> String {
    let mut harmless = String::new();
    for character in message.chars() {
        match character.is_control() {
            true => harmless.extend(character.escape_debug()),
            false => harmless.push(character),
        }
    }
    harmless
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
