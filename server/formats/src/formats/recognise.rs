//! Recognises the format by content, not by file name, `DOCTYPE` or `version`,
//! because tools with the same format write different ones.

use super::reader::{Inside, ReadJson, ReadText, ReadXml, Reader, Root};
use super::well_known;
use super::{
    bullseye, clover, cobertura, codecov, coverage_py_json, coveralls, ctc, dotcover, go, istanbul,
    jacoco, lcov, llvm_json, mprof, ncover, opencover, phpunit_xml, scoverage, simplecov,
    sonarqube_generic, visual_studio,
};
use crate::error::{ErrorKind, ReportError, shown};
use crate::format::Format;
use crate::json::Json;
use crate::text::Text;
use crate::xml::Xml;

/// The most attributes of a root that are compared, once for each child until one decides. Coverage files have fewer than 20.
const MOST_ATTRIBUTES: usize = 64;

/// Returns how a format is recognised and read.
fn reader(format: Format) -> Reader {
    match format {
        Format::Cobertura => Reader::Xml(&["coverage"], cobertura::claims, cobertura::read),
        Format::Jacoco => Reader::Xml(&["report"], jacoco::claims, jacoco::read),
        Format::PhpunitXml => Reader::Xml(
            &["phpunit", "coverage"],
            phpunit_xml::claims,
            phpunit_xml::read,
        ),
        Format::Clover => Reader::Xml(&["coverage"], clover::claims, clover::read),
        Format::SonarQube => Reader::Xml(
            &["coverage"],
            sonarqube_generic::claims,
            sonarqube_generic::read,
        ),
        Format::Scoverage => Reader::Xml(
            &["scoverage"],
            |_, inside| inside == Inside::Unseen,
            scoverage::read,
        ),
        Format::Bullseye => Reader::Xml(&["BullseyeCoverage"], |_, _| true, bullseye::read),
        Format::Ctc => Reader::Xml(&["coverage"], ctc::claims, ctc::read),
        Format::OpenCover => Reader::Xml(&["CoverageSession"], |_, _| true, opencover::read),
        Format::VisualStudio => Reader::Xml(
            &["CoverageDSPriv", "results"],
            |root, inside| root.is("CoverageDSPriv") || inside.is("modules"),
            visual_studio::read,
        ),
        Format::DotCover => Reader::Xml(&["Root"], dotcover::claims, dotcover::read),
        Format::NCover => Reader::Xml(&["coverage"], ncover::claims, ncover::read),
        Format::Mprof => Reader::Xml(
            &["coverage"],
            |_, inside| inside.is("assembly"),
            mprof::read,
        ),
        Format::Istanbul => Reader::Json(istanbul::claims, istanbul::read),
        Format::CoveragePyJson => Reader::Json(coverage_py_json::claims, coverage_py_json::read),
        Format::LlvmJson => Reader::Json(llvm_json::claims, llvm_json::read),
        Format::SimpleCov => Reader::Json(simplecov::claims, simplecov::read),
        Format::Codecov => Reader::Json(codecov::claims, codecov::read),
        Format::Coveralls => Reader::Json(coveralls::claims, coveralls::read),
        Format::Lcov => Reader::Text(lcov::claims, lcov::read),
        Format::Go => Reader::Text(go::claims, go::read),
    }
}

/// Recognises by the root element, its attributes, and the names of its first children.
pub(super) fn xml(xml: &mut Xml<'_>) -> Result<(Format, ReadXml), ReportError> {
    let mut root = Root {
        name: xml.root_name().to_vec(),
        ..Root::default()
    };
    if !is_root(&root.name) {
        return Err(xml.fail_at_root(unaccepted(&root.name)));
    }
    xml.root_attributes(|name, value| {
        if root.attributes.len() < MOST_ATTRIBUTES {
            root.attributes.push((name.to_vec(), value.to_vec()));
        }
    })?;
    let claimed = |inside: Inside<'_>| {
        first(|reader| match reader {
            Reader::Xml(roots, claims, read) if is_any(&root.name, roots) => {
                claims(&root, inside).then_some(read)
            }
            _ => None,
        })
    };
    if let Some(format) = claimed(Inside::Unseen) {
        return Ok(format);
    }
    let mut is_childless = true;
    while xml.peek()? {
        if let Some(format) = claimed(Inside::Child(xml.name())) {
            return Ok(format);
        }
        is_childless = false;
        xml.child()?;
        xml.skip()?;
    }
    claimed(Inside::Nothing)
        .filter(|_| is_childless)
        .ok_or_else(|| xml.fail_at_root(unaccepted(&root.name)))
}

/// Whether a format has this root. Its attributes or children then decide.
fn is_root(name: &[u8]) -> bool {
    let mut readers = Format::ALL.iter().map(|&format| reader(format));
    readers.any(|reader| matches!(reader, Reader::Xml(roots, ..) if is_any(name, roots)))
}

fn is_any(name: &[u8], roots: &[&str]) -> bool {
    roots.iter().any(|root| root.as_bytes() == name)
}

/// The first format whose reader claims the document, and what `claimed` returns of the reader.
fn first<T>(claimed: impl Fn(Reader) -> Option<T>) -> Option<(Format, T)> {
    let mut formats = Format::ALL.iter();
    formats.find_map(|&format| Some((format, claimed(reader(format))?)))
}

/// Whether the root is unknown and its first child is the root of a known format.
pub(super) fn holds_several(xml: &mut Xml<'_>) -> Result<bool, ReportError> {
    let root = xml.root_name();
    if is_root(root) || well_known::xml(root).is_some() {
        return Ok(false);
    }
    Ok(xml.peek()? && is_root(xml.name()))
}

/// Recognises by the key paths of the first members.
pub(super) fn json(json: &mut Json<'_>) -> Result<(Format, ReadJson), ReportError> {
    let (mut found, mut read) = ("JSON without any members", None);
    let recognised = json.preview(|keys| {
        match well_known::json(keys) {
            Some(what) => found = what,
            None if found.ends_with("members") => found = "JSON",
            None => {}
        }
        let (format, read_format) = first(|reader| match reader {
            Reader::Json(claims, read) => claims(keys).then_some(read),
            _ => None,
        })?;
        read = Some(read_format);
        Some(format)
    })?;
    let found = found.to_owned();
    let recognised = recognised.zip(read);
    recognised.ok_or_else(|| ReportError::at_start(None, ErrorKind::UnknownText { found }))
}

/// Recognises by the first line that is neither blank nor a comment.
pub(super) fn text(text: &mut Text<'_>) -> Result<(Format, ReadText), ReportError> {
    while (text.line().is_empty() || text.line().starts_with(b"#")) && text.advance()? {}
    let line = text.line();
    let recognised = first(|reader| match reader {
        Reader::Text(claims, read) => claims(line).then_some(read),
        _ => None,
    });
    recognised.ok_or_else(|| {
        let found = match well_known::text(line) {
            Some(what) => what.to_owned(),
            None => format!("\"{}\"", shown(line)),
        };
        text.fail(ErrorKind::UnknownText { found })
    })
}

pub(super) fn unaccepted(name: &[u8]) -> ErrorKind {
    let root = shown(name);
    match well_known::xml(name) {
        Some(what) => ErrorKind::Unaccepted { root, what },
        None => ErrorKind::Unknown { root },
    }
}
