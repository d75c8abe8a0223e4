//! XML as the formats need it: elements and attributes, one at a time, within limits.
//!
//! The interface to quick-xml, and only this module, knows it. An element is read like this:
//!
//! ```text
//! while xml.child()? {
//!     match xml.name() {
//!         b"package" => package(xml)?,   // descends: its own `while xml.child()?`
//!         b"counter" => { xml.attributes(|name, value| …)?; xml.skip()?; }
//!         _ => xml.skip()?,
//!     }
//! }
//! ```
//!
//! Whoever is handed an element reads it to its end, by such a loop or by [`Xml::skip`].
//! The end of the input inside an element is an error, never an end of the loop.
//! Entities are never expanded and attribute values never unescaped: numbers do not need it,
//! and names are only compared with each other.

mod attributes;
mod source;
mod utf16;

use std::io::BufRead;

use quick_xml::Reader;
use quick_xml::errors::{Error, IllFormedError};
use quick_xml::events::{BytesDecl, Event};

use crate::error::{ErrorKind, ReportError, shown};
use crate::format::{self, Format};
use crate::limits::Limits;
use source::Source;

/// A reader of XML, standing in some element.
pub(crate) struct Xml<R> {
    reader: Reader<Source<R>>,
    limits: Limits,
    format: Option<Format>,
    /// The tag read last, from `<` to `>`.
    tag: Vec<u8>,
    /// Where in `tag` the name ends and where the attributes end.
    name_end: usize,
    tag_end: usize,
    /// The root's tag, likewise.
    root: Vec<u8>,
    root_name_end: usize,
    root_tag_end: usize,
    /// The names of the elements open, one after the other, and where each starts.
    open_names: Vec<u8>,
    open: Vec<usize>,
    /// The tag read last was `<empty/>`, and its end was not reported yet.
    is_empty_tag: bool,
    /// What [`Xml::child`] is to answer next, because [`Xml::peek`] asked before.
    peeked: Option<bool>,
}

/// What the next piece of a document is.
enum Piece {
    Open {
        name_end: usize,
        is_empty: bool,
    },
    Close,
    End,
    /// Text that is not white space.
    Text(&'static str),
    Other,
    Wrong(ErrorKind),
    Failed(Error),
}

impl<R: BufRead> Xml<R> {
    /// Reads as far as the root element's tag.
    pub(crate) fn open(input: R, limits: &Limits) -> Result<Self, ReportError> {
        let at_start = |kind| ReportError::new(None, 1, 0, kind);
        let source = Source::new(input).map_err(at_start)?;
        let mut reader = Reader::from_reader(source);
        let config = reader.config_mut();
        config.trim_text_start = true;
        config.allow_dangling_amp = true;
        let mut xml = Self {
            reader,
            limits: limits.clone(),
            format: None,
            tag: Vec::new(),
            name_end: 0,
            tag_end: 0,
            root: Vec::new(),
            root_name_end: 0,
            root_tag_end: 0,
            open_names: Vec::new(),
            open: Vec::new(),
            is_empty_tag: false,
            peeked: None,
        };
        xml.find_root()?;
        Ok(xml)
    }

    /// Errors name this format from here on.
    pub(crate) fn set_format(&mut self, format: Format) {
        self.format = Some(format);
    }

    /// The limits that the report is read within.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Local name of the root element.
    pub(crate) fn root_name(&self) -> &[u8] {
        local(&self.root[1..self.root_name_end])
    }

    /// Calls `each` with name and raw value of every attribute of the root.
    pub(crate) fn root_attributes(
        &mut self,
        each: impl FnMut(&[u8], &[u8]),
    ) -> Result<(), ReportError> {
        match attributes::scan(&self.root[self.root_name_end..self.root_tag_end], each) {
            Ok(()) => Ok(()),
            Err(wrong) => Err(self.fail(wrong)),
        }
    }

    /// Goes into the next child of the current element: `true` if there is one, now the current element;
    /// `false` if there is none left, then its parent is current again.
    pub(crate) fn child(&mut self) -> Result<bool, ReportError> {
        if let Some(peeked) = self.peeked.take() {
            return Ok(peeked);
        }
        if self.is_empty_tag {
            self.is_empty_tag = false;
            return Ok(false);
        }
        loop {
            match self.piece() {
                Piece::Open { name_end, is_empty } => {
                    self.enter(name_end, is_empty)?;
                    return Ok(true);
                }
                Piece::Close => {
                    let start = self.open.pop().unwrap_or(0);
                    self.open_names.truncate(start);
                    return Ok(false);
                }
                Piece::Text(_) | Piece::Other => {}
                Piece::End => return Err(self.cut_off()),
                Piece::Wrong(kind) => return Err(self.fail(kind)),
                Piece::Failed(error) => return Err(self.translate(error)),
            }
        }
    }

    /// What [`Xml::child`] will answer; the child's name can be asked for already.
    pub(crate) fn peek(&mut self) -> Result<bool, ReportError> {
        let is_child = self.child()?;
        self.peeked = Some(is_child);
        Ok(is_child)
    }

    /// Local name of the element that was gone into last.
    pub(crate) fn name(&self) -> &[u8] {
        local(&self.tag[1..self.name_end])
    }

    /// Calls `each` with name and raw value of every attribute of the element that was gone into last.
    pub(crate) fn attributes(&mut self, each: impl FnMut(&[u8], &[u8])) -> Result<(), ReportError> {
        match attributes::scan(&self.tag[self.name_end..self.tag_end], each) {
            Ok(()) => Ok(()),
            Err(wrong) => Err(self.fail(wrong)),
        }
    }

    /// Passes over the rest of the current element.
    pub(crate) fn skip(&mut self) -> Result<(), ReportError> {
        let mut depth = 0_usize;
        loop {
            if self.child()? {
                depth += 1;
            } else if depth == 0 {
                return Ok(());
            } else {
                depth -= 1;
            }
        }
    }

    /// Reads from the root's end to the end of the input.
    pub(crate) fn finish(&mut self) -> Result<(), ReportError> {
        let found = loop {
            match self.piece() {
                Piece::End => return Ok(()),
                Piece::Other => {}
                Piece::Open { .. } => break "another element",
                Piece::Text(_) | Piece::Close => break "text",
                Piece::Wrong(kind) => return Err(self.fail(kind)),
                Piece::Failed(error) => return Err(self.translate(error)),
            }
        };
        Err(self.fail(ErrorKind::Malformed {
            expected: "the end of the file after the root element".to_owned(),
            found: found.to_owned(),
        }))
    }

    /// An error at the place that reading has reached.
    pub(crate) fn fail(&mut self, kind: ErrorKind) -> ReportError {
        let (line, offset) = self.reader.get_mut().position();
        ReportError::new(self.format, line, offset, kind)
    }

    fn find_root(&mut self) -> Result<(), ReportError> {
        let mut is_empty = true;
        loop {
            let (line, offset) = self.reader.get_mut().position();
            let kind = match self.piece() {
                Piece::Open { name_end, is_empty } => {
                    self.enter(name_end, is_empty)?;
                    self.root.clone_from(&self.tag);
                    self.root_name_end = self.name_end;
                    self.root_tag_end = self.tag_end;
                    return Ok(());
                }
                Piece::Other | Piece::Close => {
                    is_empty = false;
                    continue;
                }
                Piece::Text(looks_like) => {
                    let kind = ErrorKind::NotXml(looks_like);
                    return Err(ReportError::new(None, line, offset, kind));
                }
                Piece::End if is_empty => ErrorKind::Empty,
                Piece::End => ErrorKind::CutOff {
                    expected: "a root element".to_owned(),
                },
                Piece::Wrong(kind) => kind,
                Piece::Failed(error) => return Err(self.translate(error)),
            };
            return Err(self.fail(kind));
        }
    }

    fn piece(&mut self) -> Piece {
        self.tag.clear();
        self.reader.get_mut().allow(self.limits.token_bytes);
        let in_root = !self.open.is_empty();
        match self.reader.read_event_into(&mut self.tag) {
            Ok(Event::Start(tag)) => Piece::Open {
                name_end: 1 + tag.name().as_ref().len(),
                is_empty: false,
            },
            Ok(Event::Empty(tag)) => Piece::Open {
                name_end: 1 + tag.name().as_ref().len(),
                is_empty: true,
            },
            Ok(Event::End(_)) => Piece::Close,
            Ok(Event::Eof) => Piece::End,
            Ok(Event::Text(text)) if !in_root && !text.trim_ascii().is_empty() => {
                Piece::Text(format::not_xml(text.as_bytes()))
            }
            Ok(Event::CData(_) | Event::GeneralRef(_)) if !in_root => Piece::Text("text"),
            Ok(Event::DocType(text)) if text.contains("<!ENTITY") => {
                Piece::Wrong(ErrorKind::Entity)
            }
            Ok(Event::Decl(declaration)) => match unsupported_encoding(&declaration) {
                Some(name) => Piece::Wrong(ErrorKind::Encoding(name)),
                None => Piece::Other,
            },
            Ok(_) => Piece::Other,
            Err(error) => Piece::Failed(error),
        }
    }

    fn enter(&mut self, name_end: usize, is_empty: bool) -> Result<(), ReportError> {
        self.name_end = name_end;
        self.tag_end = self.tag.len() - if is_empty { 2 } else { 1 };
        self.is_empty_tag = is_empty;
        if name_end == 1 {
            return Err(self.fail(ErrorKind::Malformed {
                expected: "an element name after <".to_owned(),
                found: "none".to_owned(),
            }));
        }
        if name_end - 1 > self.limits.name_bytes {
            return Err(self.fail(ErrorKind::NameTooLong(self.limits.name_bytes)));
        }
        if self.open.len() >= self.limits.depth {
            return Err(self.fail(ErrorKind::TooDeep(self.limits.depth)));
        }
        if !is_empty {
            self.open.push(self.open_names.len());
            self.open_names.extend_from_slice(&self.tag[1..name_end]);
        }
        Ok(())
    }

    fn cut_off(&mut self) -> ReportError {
        let expected = match self.open.last() {
            Some(&start) => format!("</{}>", shown(&self.open_names[start..])),
            None if self.root.is_empty() => "a root element".to_owned(),
            None => "the end of what follows the root element".to_owned(),
        };
        self.fail(ErrorKind::CutOff { expected })
    }

    fn translate(&mut self, error: Error) -> ReportError {
        if self.reader.get_mut().ran_out() {
            return self.fail(ErrorKind::TokenTooLong(self.limits.token_bytes));
        }
        let (expected, found) = match error {
            Error::Io(error) => return self.fail(ErrorKind::Read(error)),
            Error::Syntax(_) if self.reader.get_mut().is_at_end() => return self.cut_off(),
            Error::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => (
                format!("</{}>", shown(expected.as_bytes())),
                format!("</{}>", shown(found.as_bytes())),
            ),
            Error::IllFormed(IllFormedError::UnmatchedEndTag(found)) => (
                "the start of an element".to_owned(),
                format!("</{}>", shown(found.as_bytes())),
            ),
            other => ("well-formed XML".to_owned(), other.to_string()),
        };
        self.fail(ErrorKind::Malformed { expected, found })
    }
}

fn local(name: &[u8]) -> &[u8] {
    match name.iter().position(|&byte| byte == b':') {
        Some(colon) => &name[colon + 1..],
        None => name,
    }
}

/// Encodings that do not write ASCII as ASCII. Of all others the markup reads the same,
/// and what a declaration says of UTF-16 the bytes themselves say better.
fn unsupported_encoding(declaration: &BytesDecl<'_>) -> Option<String> {
    const FAMILIES: [&str; 8] = [
        "utf-7", "utf-32", "ucs-4", "iso-2022", "hz-", "ebcdic", "ibm", "cp037",
    ];
    let encoding = declaration.encoding()?.ok()?;
    let lower = encoding.to_ascii_lowercase();
    FAMILIES
        .iter()
        .any(|family| lower.contains(family))
        .then(|| shown(encoding.as_bytes()))
}
