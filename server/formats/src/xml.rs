//! A streaming reader of XML for the formats: elements and attributes, one at a time, within limits.
//!
//! Only this module uses quick-xml. An element is read like this:
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
//! A caller must read each element to its end, with such a loop, with [`Xml::skip`] or with [`Xml::text`].
//! The end of the input inside an element is an error, never the end of the loop.
//! Entities are never expanded; [`plain`] resolves the references that XML itself defines.

mod attributes;
mod markup;
mod tag;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use crate::error::{ErrorKind, Position, ReportError, shown};
use crate::files::Files;
use crate::input::Input;
use crate::limits::Limits;
use crate::number::integer;
use crate::paths::join;
use tag::Attributes;

/// A reader of XML, positioned in an element.
pub(crate) struct Xml<'a> {
    pub(crate) input: Input<'a>,
    limits: Limits,
    /// The range of the last tag, from `<` to `>`, and the ends of its name and of its attributes.
    tag: Range<usize>,
    name_end: usize,
    attributes_end: usize,
    /// The attributes of the tag, unless quick-xml parsed it.
    attributes: Attributes,
    is_scanned: bool,
    /// The name of the root, its attributes as they are in its tag, and its position.
    root: Vec<u8>,
    root_attributes: Vec<u8>,
    root_position: Position,
    /// The concatenated names of the open elements, and the start of each name.
    open_names: Vec<u8>,
    open: Vec<usize>,
    /// Whether the last tag was `<empty/>` and its end was not returned yet.
    is_empty_tag: bool,
    /// The next result of [`Xml::child`], if [`Xml::peek`] was called.
    peeked: Option<bool>,
    /// The skipped text, if it is wanted.
    text: Option<Vec<u8>>,
    /// The last text, whose memory is reused.
    last_text: Vec<u8>,
    /// The generator named in a comment near the start.
    pub(crate) generator: Option<String>,
}

/// The next piece of a document.
enum Piece {
    Open,
    Close,
    End,
}

impl<'a> Xml<'a> {
    /// Reads up to the root element's tag.
    pub(crate) fn open(input: Input<'a>, limits: &Limits) -> Result<Self, ReportError> {
        let mut xml = Self {
            input,
            limits: limits.clone(),
            tag: 0..0,
            name_end: 0,
            attributes_end: 0,
            attributes: Attributes::default(),
            is_scanned: false,
            root: Vec::new(),
            root_attributes: Vec::new(),
            root_position: Position::START,
            open_names: Vec::new(),
            open: Vec::new(),
            is_empty_tag: false,
            peeked: None,
            text: None,
            last_text: Vec::new(),
            generator: None,
        };
        // The end of an element that was never open has already been refused.
        if !xml.child()? {
            return Err(xml.cut_off());
        }
        xml.make_root();
        Ok(xml)
    }

    /// Makes the last entered element the root, and keeps its tag.
    pub(crate) fn make_root(&mut self) {
        self.root = self.input.get(self.tag.start + 1..self.name_end).to_vec();
        let attributes = self.input.get(self.name_end..self.attributes_end);
        self.root_attributes = attributes.to_vec();
        self.root_position = self.input.count_lines(self.tag.start);
    }

    /// The local name of the root element.
    pub(crate) fn root_name(&self) -> &[u8] {
        local(&self.root)
    }

    /// Calls `each` with name and raw value of every attribute of the root.
    pub(crate) fn root_attributes<'x>(
        &'x self,
        each: impl FnMut(&'x [u8], &'x [u8]),
    ) -> Result<(), ReportError> {
        attributes::scan(&self.root_attributes, each).map_err(|wrong| self.fail(wrong))
    }

    /// Reads the text of one attribute of the root, if it has the attribute.
    pub(crate) fn root_text(
        &self,
        wanted: &[u8],
        text: &mut Option<String>,
    ) -> Result<(), ReportError> {
        self.root_attributes(|name, value| {
            if name == wanted {
                *text = Some(plain(value).into_owned());
            }
        })
    }

    /// Enters the next child of the current element. `true` if there is one, which becomes the current element. `false` if there
    /// is none; then the parent is the current element again.
    #[inline]
    pub(crate) fn child(&mut self) -> Result<bool, ReportError> {
        if let Some(peeked) = self.peeked.take() {
            return Ok(peeked);
        }
        if self.is_empty_tag {
            self.is_empty_tag = false;
            return Ok(false);
        }
        match self.piece()? {
            Piece::Open => Ok(true),
            Piece::Close => Ok(false),
            Piece::End => Err(self.cut_off()),
        }
    }

    /// Returns what [`Xml::child`] will return. The child's name is available.
    pub(crate) fn peek(&mut self) -> Result<bool, ReportError> {
        let is_child = self.child()?;
        self.peeked = Some(is_child);
        Ok(is_child)
    }

    /// The local name of the last entered element.
    #[inline]
    pub(crate) fn name(&self) -> &[u8] {
        local(self.input.get(self.tag.start + 1..self.name_end))
    }

    /// Calls `each` with name and raw value of every attribute of the last entered element.
    #[inline]
    pub(crate) fn attributes<'x>(
        &'x self,
        mut each: impl FnMut(&'x [u8], &'x [u8]),
    ) -> Result<(), ReportError> {
        if self.is_scanned {
            let tag = self.input.get(self.tag.clone());
            for (name, value) in self.attributes.of(tag) {
                each(name, value);
            }
            return Ok(());
        }
        let attributes = self.input.get(self.name_end..self.attributes_end);
        attributes::scan(attributes, each).map_err(|wrong| self.fail(wrong))
    }

    /// The raw values of some attributes of the last entered element. For elements that occur once for each line, a `match` in
    /// [`Xml::attributes`] is faster.
    pub(crate) fn values<const N: usize>(
        &self,
        wanted: [&[u8]; N],
    ) -> Result<[Option<&[u8]>; N], ReportError> {
        let mut found = [None; N];
        self.attributes(|name, value| {
            if let Some(at) = wanted.iter().position(|wanted| *wanted == name) {
                found[at] = Some(value);
            }
        })?;
        Ok(found)
    }

    /// The raw value of one attribute of the last entered element.
    pub(crate) fn attribute(&self, wanted: &[u8]) -> Result<Option<&[u8]>, ReportError> {
        let [found] = self.values([wanted])?;
        Ok(found)
    }

    /// The path of the last entered element: its `name` within a folder.
    pub(crate) fn path_in(&self, folder: &str) -> Result<String, ReportError> {
        let name = plain(self.attribute(b"name")?.unwrap_or_default());
        Ok(join(folder, &name))
    }

    /// Reads the last entered element as a row of a table of files: an id and a path.
    pub(crate) fn file_of_id(
        &self,
        id: &[u8],
        path: &[u8],
        files: &mut Files,
    ) -> Result<(), ReportError> {
        let [id, path] = self.values([id, path])?;
        if let (Some(id), Some(path)) = (id.and_then(integer), path) {
            files.name_id(id, &plain(path));
        }
        Ok(())
    }

    /// Calls `each` in every child. It must read the child to its end.
    #[inline]
    pub(crate) fn every_child(
        &mut self,
        mut each: impl FnMut(&mut Self) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        while self.child()? {
            each(self)?;
        }
        Ok(())
    }

    /// Calls `each` in every child with this name. It must read the child to its end. Other children are skipped.
    #[inline]
    pub(crate) fn children(
        &mut self,
        name: &[u8],
        mut each: impl FnMut(&mut Self) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        self.every_child(|xml| match xml.name() == name {
            true => each(xml),
            false => xml.skip(),
        })
    }

    /// Skips the rest of the current element.
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

    /// Reads the current element to its end. Returns its text, including the text of its descendants.
    pub(crate) fn text(&mut self) -> Result<String, ReportError> {
        self.collect_text()?;
        Ok(plain(&self.last_text).trim().to_owned())
    }

    /// Reads the text of the current element as a whole number, if it is one.
    pub(crate) fn integer<N: TryFrom<u64>>(&mut self) -> Result<Option<N>, ReportError> {
        self.collect_text()?;
        Ok(integer(plain(&self.last_text).as_bytes()))
    }

    fn collect_text(&mut self) -> Result<(), ReportError> {
        let mut text = std::mem::take(&mut self.last_text);
        text.clear();
        self.text = Some(text);
        let skipped = self.skip();
        self.last_text = self.text.take().unwrap_or_default();
        skipped
    }

    /// Reads from the root's end to the end of the input.
    pub(crate) fn finish(&mut self) -> Result<(), ReportError> {
        match self.piece()? {
            Piece::End => Ok(()),
            Piece::Open | Piece::Close => Err(self.fail(ErrorKind::malformed(
                "the end of the file after the root element",
                "another element",
            ))),
        }
    }

    pub(crate) fn fail(&self, kind: ErrorKind) -> ReportError {
        self.input.fail_at(self.tag.start, self.current(), kind)
    }

    /// Returns an error about the document as a whole.
    pub(crate) fn fail_at_root(&self, kind: ErrorKind) -> ReportError {
        ReportError::new(self.input.format, self.root_position, None, kind)
    }

    fn fail_here(&self, kind: ErrorKind) -> ReportError {
        self.input.fail_here(self.current(), kind)
    }

    fn current(&self) -> Option<String> {
        let start = *self.open.last()?;
        Some(format!("<{}>", shown(&self.open_names[start..])))
    }

    fn cut_off(&self) -> ReportError {
        let expected = match self.open.last() {
            Some(&start) => format!("</{}>", shown(&self.open_names[start..])),
            None if self.root.is_empty() => "a root element".to_owned(),
            None => "the end of the markup after the root element".to_owned(),
        };
        self.fail_here(ErrorKind::CutOff { expected })
    }
}

/// Returns the text of an attribute's value with resolved character references. References to entities that XML does not define
/// stay unchanged.
pub(crate) fn plain(value: &[u8]) -> Cow<'_, str> {
    // The input is mostly text already, and `from_utf8_lossy` checks that more slowly.
    let text = match str::from_utf8(value) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(value),
    };
    if !text.contains('&') {
        return text;
    }
    match quick_xml::escape::unescape(&text) {
        Ok(plain) => Cow::Owned(plain.into_owned()),
        Err(_) => text,
    }
}

/// Enters the file whose path is the value of an attribute. Without a path, the file is unknown.
#[inline]
pub(crate) fn enter(path: Option<&[u8]>, files: &mut Files) {
    let path = path.unwrap_or_default();
    if !files.is_at(path) || memchr::memchr(b'&', path).is_some() {
        files.enter(&plain(path));
    }
}

#[inline]
fn local(name: &[u8]) -> &[u8] {
    match name.iter().position(|&byte| byte == b':') {
        Some(colon) => &name[colon + 1..],
        None => name,
    }
}
