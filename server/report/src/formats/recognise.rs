//! Recognising a report's format by content: not by file name, `DOCTYPE` or `version`,
//! for all three vary from tool to tool within one format.

use super::{Reader, well_known};
use crate::error::{ErrorKind, ReportError, shown};
use crate::format::Format;
use crate::json::Json;
use crate::text::Text;
use crate::xml::Xml;

/// The root element of a document that is to be recognised.
pub(crate) struct Root {
    name: Vec<u8>,
    attributes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Root {
    fn new(name: &[u8]) -> Self {
        Self {
            name: name.to_vec(),
            attributes: Vec::new(),
        }
    }

    /// Whether its local name is this.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name.as_bytes()
    }

    /// Whether it has the attribute.
    pub(crate) fn has(&self, attribute: &str) -> bool {
        self.get(attribute).is_some()
    }

    /// Whether a format has this root: then its attributes or children tell which.
    fn is_of_a_format(&self) -> bool {
        Format::ALL.iter().any(|format| match format.reader() {
            Reader::Xml { roots, .. } => roots.iter().any(|name| self.is(name)),
            _ => false,
        })
    }

    /// The raw value of an attribute.
    pub(crate) fn get(&self, attribute: &str) -> Option<&[u8]> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(name, _)| name == attribute.as_bytes());
        found.map(|(_, value)| value.as_slice())
    }
}

/// What is seen inside the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inside<'s> {
    /// Not looked at yet.
    Unseen,
    /// A child by its local name. Children that no format knows are passed over until one decides.
    Child(&'s [u8]),
    /// No child at all.
    Nothing,
}

impl Inside<'_> {
    /// Whether this child is seen.
    pub(crate) fn is(self, child: &str) -> bool {
        self == Inside::Child(child.as_bytes())
    }
}

/// So many attributes of a root are looked at, again for every child until one decides: reports have below twenty.
const MOST_ATTRIBUTES: usize = 64;

/// Recognises by the root element, its attributes, and the names of its first children.
pub(super) fn xml(xml: &mut Xml<'_>) -> Result<Format, ReportError> {
    let mut root = Root::new(xml.root_name());
    if !root.is_of_a_format() {
        return Err(xml.fail_at_root(unaccepted(&root.name)));
    }
    xml.root_attributes(|name, value| {
        if root.attributes.len() < MOST_ATTRIBUTES {
            root.attributes.push((name.to_vec(), value.to_vec()));
        }
    })?;
    if let Some(format) = claimed(&root, Inside::Unseen) {
        return Ok(format);
    }
    let mut is_childless = true;
    while xml.peek()? {
        if let Some(format) = claimed(&root, Inside::Child(xml.name())) {
            return Ok(format);
        }
        is_childless = false;
        xml.child()?;
        xml.skip()?;
    }
    claimed(&root, Inside::Nothing)
        .filter(|_| is_childless)
        .ok_or_else(|| xml.fail_at_root(unaccepted(&root.name)))
}

fn claimed(root: &Root, inside: Inside<'_>) -> Option<Format> {
    let mut formats = Format::ALL.iter().copied();
    formats.find(|format| match format.reader() {
        Reader::Xml { roots, claims, .. } => {
            roots.iter().any(|name| root.is(name)) && claims(root, inside)
        }
        _ => false,
    })
}

/// Whether the root is no report but has one in it, as its first child.
pub(super) fn holds_several(xml: &mut Xml<'_>) -> Result<bool, ReportError> {
    let is_of_a_format = |name: &[u8]| Root::new(name).is_of_a_format();
    let root = xml.root_name();
    if is_of_a_format(root) || matches!(unaccepted(root), ErrorKind::Unaccepted { .. }) {
        return Ok(false);
    }
    Ok(xml.peek()? && is_of_a_format(xml.name()))
}

/// Recognises by the keys that lead to the first members.
pub(super) fn json(json: &mut Json<'_>) -> Result<Format, ReportError> {
    let mut found = "JSON without any members";
    let recognised = json.preview(|keys| {
        let mut well_known = well_known::JSON_KEYS.iter();
        match well_known.find(|(marks, _)| is_at(keys, marks)) {
            Some((_, what)) => found = what,
            None if found.ends_with("members") => found = "JSON",
            None => {}
        }
        let mut formats = Format::ALL.iter().copied();
        formats.find(|format| match format.reader() {
            Reader::Json { claims, .. } => claims(keys),
            _ => false,
        })
    })?;
    recognised.ok_or_else(|| {
        json.fail_at_start(ErrorKind::UnknownText {
            found: found.to_owned(),
        })
    })
}

fn is_at(keys: &[&str], marks: &[&str]) -> bool {
    let is_alike = |(key, mark): (&&str, &&str)| key == mark || *mark == "*";
    keys.len() == marks.len() && keys.iter().zip(marks).all(is_alike)
}

/// Recognises by the first line that is no comment.
pub(super) fn text(text: &mut Text<'_>) -> Result<Format, ReportError> {
    while (text.line().is_empty() || text.line().starts_with(b"#")) && text.advance()? {}
    let mut formats = Format::ALL.iter().copied();
    let recognised = formats.find(|format| match format.reader() {
        Reader::Text { claims, .. } => claims(text.line()),
        _ => false,
    });
    recognised.ok_or_else(|| {
        let looks_like = well_known::TEXT_STARTS
            .iter()
            .find(|(mark, _)| text.line().starts_with(mark));
        let found = match looks_like {
            Some((_, what)) => (*what).to_owned(),
            None => format!("\"{}\"", shown(text.line())),
        };
        text.fail(ErrorKind::UnknownText { found })
    })
}

pub(super) fn unaccepted(root: &[u8]) -> ErrorKind {
    let root_shown = shown(root);
    match well_known::XML_ROOTS
        .iter()
        .find(|(name, _)| name.as_bytes() == root)
    {
        Some((_, what)) => ErrorKind::Unaccepted {
            root: root_shown,
            what,
        },
        None => ErrorKind::Unknown { root: root_shown },
    }
}
