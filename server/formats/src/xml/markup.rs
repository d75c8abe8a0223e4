//! Reads the pieces of markup in the window with quick-xml, and interprets them.

use quick_xml::Reader;
use quick_xml::errors::{Error, SyntaxError};
use quick_xml::events::Event;

use super::{Piece, Xml, tag, words};
use crate::error::{ErrorKind, ReportError, harmless, shown};

/// A piece of markup at the start of the window's rest.
enum Markup {
    /// The length of the name in bytes, and whether the tag is `<empty/>`.
    Open(usize, bool),
    /// The length of the name in bytes.
    Close(usize),
    CData,
    Comment,
    Entity,
    Other,
    /// The window ends inside the piece. Whether its start is already wrong, unless the window is too short for `<![CDATA[`.
    Unfinished(bool),
    Wrong(String),
}

impl Markup {
    /// Reads one piece from `rest`, which starts with `<`. Also returns its length.
    ///
    /// A new quick-xml reader per piece costs almost nothing, and avoids copying out of the window.
    #[inline]
    fn read(rest: &[u8]) -> (Self, usize) {
        let mut reader = Reader::from_reader(rest);
        let config = reader.config_mut();
        // This module checks both, across windows.
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        let markup = match reader.read_event() {
            Ok(Event::Start(tag)) => Self::Open(tag.name().as_ref().len(), false),
            Ok(Event::Empty(tag)) => Self::Open(tag.name().as_ref().len(), true),
            Ok(Event::End(tag)) => Self::Close(tag.name().as_ref().len()),
            Ok(Event::Comment(_)) => Self::Comment,
            Ok(Event::CData(_)) => Self::CData,
            Ok(Event::DocType(text)) if text.contains("<!ENTITY") => Self::Entity,
            Ok(_) => Self::Other,
            Err(Error::Syntax(error)) => {
                Self::Unfinished(matches!(error, SyntaxError::InvalidBangMarkup))
            }
            Err(other) => Self::Wrong(harmless(&other.to_string())),
        };
        let len = usize::try_from(reader.buffer_position()).unwrap_or(rest.len());
        (markup, len)
    }
}

impl Xml<'_> {
    /// Advances to the next start or end of an element.
    #[inline]
    pub(super) fn piece(&mut self) -> Result<Piece, ReportError> {
        loop {
            if !self.pass_text()? {
                return if self.open.is_empty() && !self.root.is_empty() {
                    Ok(Piece::End)
                } else {
                    Err(self.cut_off())
                };
            }
            if let Some(piece) = self.usual_piece()? {
                return Ok(piece);
            }
            let (markup, len) = Markup::read(self.input.rest());
            match markup {
                Markup::Open(name, is_empty) => {
                    self.enter(name, len, is_empty)?;
                    return Ok(Piece::Open);
                }
                Markup::Close(name) => return self.leave(name, len),
                Markup::Unfinished(is_wrong) => self.lengthen(is_wrong)?,
                Markup::Entity => return Err(self.fail_here(ErrorKind::Entity)),
                Markup::Wrong(found) => {
                    return Err(self.malformed("well-formed XML", found));
                }
                Markup::CData if self.open.is_empty() => return Err(self.text_outside()),
                Markup::CData => {
                    if let Some(text) = &mut self.text {
                        // A CDATA section contains no references.
                        let inside = &self.input.rest()["<![CDATA[".len()..len - "]]>".len()];
                        for (at, piece) in inside.split(|&byte| byte == b'&').enumerate() {
                            if at > 0 {
                                text.extend_from_slice(b"&amp;");
                            }
                            text.extend_from_slice(piece);
                        }
                    }
                    self.check_text()?;
                    self.pass(len)?;
                }
                Markup::Comment => {
                    self.note_generator(len);
                    self.pass(len)?;
                }
                Markup::Other => self.pass(len)?,
            }
        }
    }

    /// Reads a tag with the usual syntax.
    #[inline]
    fn usual_piece(&mut self) -> Result<Option<Piece>, ReportError> {
        let rest = self.input.rest();
        if let [b'<', b'/', end @ ..] = rest {
            let Some(&start) = self.open.last() else {
                return Ok(None);
            };
            let name = &self.open_names[start..];
            let is_its_end = end.starts_with(name) && end.get(name.len()) == Some(&b'>');
            let len = "</>".len() + name.len();
            return Ok(is_its_end.then(|| self.close(start, len)));
        }
        let tag = tag::scan(rest, &mut self.attributes);
        self.is_scanned = tag.is_some();
        tag.map(|tag| {
            self.enter(tag.name, tag.len, tag.is_empty)?;
            Ok(Piece::Open)
        })
        .transpose()
    }

    /// Advances to the next `<`. `false` if there is none.
    #[inline]
    fn pass_text(&mut self) -> Result<bool, ReportError> {
        loop {
            let rest = self.input.rest();
            let len = words::find(b'<', rest).unwrap_or(rest.len());
            let is_at_markup = len < rest.len();
            if len > 0 {
                if self.open.is_empty() && !rest[..len].trim_ascii().is_empty() {
                    return Err(self.text_outside());
                }
                if let Some(text) = &mut self.text {
                    text.extend_from_slice(&rest[..len]);
                    self.check_text()?;
                }
                self.input.consume(len);
            }
            if is_at_markup {
                return Ok(true);
            }
            let more = self.input.more();
            if !more.map_err(|kind| self.fail_here(kind))? {
                return Ok(false);
            }
        }
    }

    fn check_text(&self) -> Result<(), ReportError> {
        self.check(self.text.as_ref().map_or(0, Vec::len))
    }

    fn check(&self, len: usize) -> Result<(), ReportError> {
        let checked = self.input.check_token(len);
        checked.map_err(|kind| self.fail_here(kind))
    }

    fn pass(&mut self, len: usize) -> Result<(), ReportError> {
        self.check(len)?;
        self.input.consume(len);
        Ok(())
    }

    /// Reads more of a piece cut off by the window.
    #[cold]
    fn lengthen(&mut self, is_wrong: bool) -> Result<(), ReportError> {
        let more = self.input.more();
        if more.map_err(|kind| self.fail_here(kind))? {
            return Ok(());
        }
        if is_wrong && self.input.rest().len() > "<![CDATA[".len() {
            let found = "<! that begins neither comment, CDATA nor DOCTYPE";
            return Err(self.malformed("well-formed XML", found));
        }
        let len = self.input.rest().len();
        self.input.consume(len);
        Err(self.cut_off())
    }

    fn enter(&mut self, name: usize, len: usize, is_empty: bool) -> Result<(), ReportError> {
        if name == 0 {
            return Err(self.malformed("an element name after <", "none"));
        }
        if name > self.limits.name_bytes {
            return Err(self.fail_here(ErrorKind::NameTooLong(self.limits.name_bytes)));
        }
        if self.open.len() >= self.limits.depth {
            return Err(self.fail_here(ErrorKind::TooDeep(self.limits.depth)));
        }
        self.check(len)?;
        self.tag = self.input.consume(len);
        self.name_end = self.tag.start + "<".len() + name;
        self.attributes_end = self.tag.end - if is_empty { "/>".len() } else { ">".len() };
        self.is_empty_tag = is_empty;
        if !is_empty {
            self.open.push(self.open_names.len());
            let name = self.input.get(self.tag.start + "<".len()..self.name_end);
            self.open_names.extend_from_slice(name);
        }
        Ok(())
    }

    fn leave(&mut self, name: usize, len: usize) -> Result<Piece, ReportError> {
        let found = &self.input.rest()["</".len()..][..name];
        let Some(&start) = self.open.last() else {
            let found = format!("</{}>", shown(found));
            return Err(self.malformed(self.expected_outside(), found));
        };
        let expected = &self.open_names[start..];
        if found != expected {
            let tags = [expected, found].map(|name| format!("</{}>", shown(name)));
            let [expected, found] = tags;
            return Err(self.malformed(expected, found));
        }
        Ok(self.close(start, len))
    }

    fn close(&mut self, name_start: usize, len: usize) -> Piece {
        self.open.pop();
        self.open_names.truncate(name_start);
        self.input.consume(len);
        Piece::Close
    }

    /// Returns an error at the text, not at the white space before it.
    fn text_outside(&mut self) -> ReportError {
        let rest = self.input.rest();
        let blank = rest.len() - rest.trim_ascii_start().len();
        self.input.consume(blank);
        self.malformed(self.expected_outside(), "text")
    }

    fn expected_outside(&self) -> &'static str {
        if self.root.is_empty() {
            "a root element"
        } else {
            "the end of the file after the root element"
        }
    }

    fn malformed(&self, expected: impl Into<String>, found: impl Into<String>) -> ReportError {
        self.fail_here(ErrorKind::malformed(expected, found))
    }

    /// Comments like `Generated by coverage.py: https://…` are before the root or first in it.
    fn note_generator(&mut self, len: usize) {
        if self.generator.is_some() || self.open.len() > 1 {
            return;
        }
        let comment = self.input.rest()[..len].trim_ascii();
        let inside = comment.strip_prefix(b"<!--").unwrap_or_default();
        let inside = inside.strip_suffix(b"-->").unwrap_or_default();
        let inside = inside.trim_ascii().strip_prefix(b"Generated by ");
        let mut words = inside
            .unwrap_or_default()
            .split(|byte| b": \n".contains(byte));
        self.generator = words.find(|word| !word.is_empty()).map(shown);
    }
}
