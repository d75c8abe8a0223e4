//! The errors of reading a coverage file.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::format::Format;

/// Why a coverage file was refused, with the position.
///
/// Its message is one sentence that states what to fix:
/// `cobertura: line 12, byte 480, in <class>: expected </class>, but the file ends`.
#[derive(Debug, Clone)]
pub struct ReportError(Box<Failure>);

/// The content of an error. It is boxed, because readers are recursive and a large result would use much of the stack.
#[derive(Debug, Clone)]
struct Failure {
    format: Option<Format>,
    position: Position,
    /// The innermost element, member or record at the position, shortened if long:
    /// `<class>` in XML, `"files"` in JSON, `SF:a.c` in LCOV.
    element: Option<String>,
    kind: ErrorKind,
}

/// A position in the text of a coverage file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The number of bytes before the position, in the text as UTF-8, without a byte order mark.
    pub offset: u64,
}

impl Position {
    pub(crate) const START: Self = Self { line: 1, offset: 0 };
}

/// The kind of error.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ErrorKind {
    /// The input failed. The coverage file itself may be correct.
    #[error("the report could not be read")]
    Read(#[source] Arc<io::Error>),
    /// The file is empty, or has only white space.
    #[error("the file is empty")]
    Empty,
    /// The start of the file matches no known format.
    #[error(
        "found {found}, which is not a coverage report of a known format; accepted are {}",
        accepted()
    )]
    UnknownText {
        /// The probable kind of the file, or its start.
        found: String,
    },
    /// XML of a well-known kind that this crate does not read.
    #[error("root element <{root}> is {what}; accepted are {}", accepted())]
    Unaccepted {
        /// The local name of the root element.
        root: String,
        /// The kind of file that has this root.
        what: &'static str,
    },
    /// XML of an unknown kind.
    #[error(
        "root element <{root}> is not a coverage report of a known format; accepted are {}",
        accepted()
    )]
    Unknown {
        /// The local name of the root element.
        root: String,
    },
    /// The input ends inside the document.
    #[error("expected {expected}, but the file ends")]
    CutOff {
        /// The expected text.
        expected: String,
    },
    /// The content violates XML, JSON or the format.
    #[error("expected {expected}, found {found}")]
    Malformed {
        /// The expected text.
        expected: String,
        /// The found text.
        found: String,
    },
    /// The DOCTYPE declares entities. Coverage files do not need them; attacks use them.
    #[error("the DOCTYPE declares an ENTITY, which is not accepted")]
    Entity,
    /// The XML declaration names an unknown encoding that is not compatible with ASCII.
    #[error("encoding {0} is not supported; save the file as UTF-8")]
    Encoding(String),
    /// The nesting exceeds [`Limits::depth`](crate::Limits::depth).
    #[error("the content is nested deeper than {0} levels")]
    TooDeep(usize),
    /// A token is longer than [`Limits::token_bytes`](crate::Limits::token_bytes).
    #[error("a tag, text or line is longer than {0} bytes")]
    TokenTooLong(usize),
    /// An element name is longer than [`Limits::name_bytes`](crate::Limits::name_bytes).
    #[error("an element name is longer than {0} bytes")]
    NameTooLong(usize),
    /// No total is stated, and there are too many files to add up
    /// within [`Limits::memory_bytes`](crate::Limits::memory_bytes).
    #[error("no total is stated, and the files are too many to add up within {0} bytes")]
    TooManyFiles(usize),
}

impl ErrorKind {
    pub(crate) fn malformed(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Malformed {
            expected: expected.into(),
            found: found.into(),
        }
    }
}

impl ReportError {
    #[cold]
    pub(crate) fn new(
        format: Option<Format>,
        position: Position,
        element: Option<String>,
        kind: ErrorKind,
    ) -> Self {
        Self(Box::new(Failure {
            format,
            position,
            element,
            kind,
        }))
    }

    /// Returns an error about the input as a whole.
    pub(crate) fn at_start(format: Option<Format>, kind: ErrorKind) -> Self {
        Self::new(format, Position::START, None, kind)
    }

    /// The position of the error: the start of the wrong piece, or the early end of the input.
    pub fn position(&self) -> Position {
        self.0.position
    }

    /// The kind of error.
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
fn accepted() -> String {
    let mut titles: Vec<&str> = Format::ALL.iter().map(|format| format.title()).collect();
    let last = titles.pop().unwrap_or_default();
    format!("{} and {last}", titles.join(", "))
}

/// Escapes the control characters in a message of another crate.
pub(crate) fn harmless(message: &str) -> String {
    let mut harmless = String::new();
    for character in message.chars() {
        if character.is_control() {
            harmless.extend(character.escape_debug());
        } else {
            harmless.push(character);
        }
    }
    harmless
}

/// Shortens a name from a coverage file and escapes its control characters, for messages.
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
