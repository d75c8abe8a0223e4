//! Recognises the format by content, not by file name, `DOCTYPE` or `version`,
//! because tools with the same format write different ones.

use super::reader::{Inside, Reader, Root};
use super::well_known;
use super::{
    bullseye, clover, cobertura, codecov, coverage_py_json, ctc, dotcover, go, istanbul, jacoco,
    lcov, llvm_json, mprof, ncover, opencover, phpunit_xml, scoverage, simplecov,
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
pub(super) fn reader(format: Format) -> Reader {
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
        Format::Lcov => Reader::Text(lcov::claims, lcov::read),
        Format::Go => Reader::Text(go::claims, go::read),
    }
}

/// Recognises by the root element, its attributes, and the names of its first children.
pub(super) fn xml(xml: &mut Xml<'_>) -> Result<Format, ReportError> {
    let mut root = Root::new(xml.root_name());
    if !is_of_a_format(&root) {
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

/// Whether a format has this root. Its attributes or children then decide.
fn is_of_a_format(root: &Root) -> bool {
    Format::ALL.iter().any(|format| match reader(*format) {
        Reader::Xml(roots, ..) => roots.iter().any(|name| root.is(name)),
        _ => false,
    })
}

fn claimed(root: &Root, inside: Inside<'_>) -> Option<Format> {
    let mut formats = Format::ALL.iter().copied();
    formats.find(|format| match reader(*format) {
        Reader::Xml(roots, claims, _) => {
            roots.iter().any(|name| root.is(name)) && claims(root, inside)
        }
        _ => false,
    })
}

/// Whether the root is unknown and its first child is the root of a known format.
pub(super) fn holds_several(xml: &mut Xml<'_>) -> Result<bool, ReportError> {
    let is_root = |name: &[u8]| is_of_a_format(&Root::new(name));
    let root = xml.root_name();
    if is_root(root) || matches!(unaccepted(root), ErrorKind::Unaccepted { .. }) {
        return Ok(false);
    }
    Ok(xml.peek()? && is_root(xml.name()))
}

/// Recognises by the key paths of the first members.
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
        formats.find(|format| match reader(*format) {
            Reader::Json(claims, _) => claims(keys),
            _ => false,
        })
    })?;
    let found = found.to_owned();
    recognised.ok_or_else(|| ReportError::at_start(None, ErrorKind::UnknownText { found }))
}

fn is_at(keys: &[&str], marks: &[&str]) -> bool {
    let is_match = |(key, mark): (&&str, &&str)| key == mark || *mark == "*";
    keys.len() == marks.len() && keys.iter().zip(marks).all(is_match)
}

/// Recognises by the first line that is neither blank nor a comment.
pub(super) fn text(text: &mut Text<'_>) -> Result<Format, ReportError> {
    while (text.line().is_empty() || text.line().starts_with(b"#")) && text.advance()? {}
    let mut formats = Format::ALL.iter().copied();
    let recognised = formats.find(|format| match reader(*format) {
        Reader::Text(claims, _) => claims(text.line()),
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
