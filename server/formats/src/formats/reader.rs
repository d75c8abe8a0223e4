//! The interface of a format's module: how its files are recognised and read.

use crate::error::ReportError;
use crate::findings::Findings;
use crate::json::Json;
use crate::text::Text;
use crate::xml::Xml;

/// How a format is recognised and read.
pub(crate) enum Reader {
    /// The possible names of the root element; whether a document is of this format, by its root and its children so far; and
    /// the function that reads from the root's tag to its end.
    Xml(
        &'static [&'static str],
        fn(&Root, Inside<'_>) -> bool,
        ReadXml,
    ),
    /// Whether a document is of this format, by the path of keys to a member: one to three keys, outermost first; and the
    /// function that reads the outermost value.
    Json(fn(&[&str]) -> bool, ReadJson),
    /// Whether a document is of this format, by its first line that is neither blank nor a comment; and the function that reads
    /// from the first line to the end of the input.
    Text(fn(&[u8]) -> bool, ReadText),
}

pub(crate) type ReadXml = fn(&mut Xml<'_>, &mut Findings) -> Result<(), ReportError>;
pub(crate) type ReadJson = fn(&mut Json<'_>, &mut Findings) -> Result<(), ReportError>;
pub(crate) type ReadText = fn(&mut Text<'_>, &mut Findings) -> Result<(), ReportError>;

/// The root element of a document to recognise.
#[derive(Default)]
pub(crate) struct Root {
    pub(super) name: Vec<u8>,
    pub(super) attributes: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Root {
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name == name.as_bytes()
    }

    pub(crate) fn has(&self, attribute: &str) -> bool {
        self.get(attribute).is_some()
    }

    /// The raw value of an attribute.
    pub(crate) fn get(&self, attribute: &str) -> Option<&[u8]> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(name, _)| name == attribute.as_bytes());
        found.map(|(_, value)| value.as_slice())
    }
}

/// The content of the root that was read so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inside<'s> {
    /// Nothing has been read yet.
    Unseen,
    /// The local name of a child. Children that no format claims are skipped.
    Child(&'s [u8]),
    /// The root has no children.
    Nothing,
}

impl Inside<'_> {
    pub(crate) fn is(self, child: &str) -> bool {
        self == Inside::Child(child.as_bytes())
    }
}
