//! `CoverageDSPriv`: `Module > NamespaceTable > Class > Method > Lines`, with each number in its own element.
//!
//! Namespaces, classes and methods state the same counts as modules, with the same names. A schema comes first, and the
//! names of files come last. The encoding is UTF-16. `Coverage` is 0 for covered, 1 for partly covered, 2 for not covered.

use super::{Method, Span, add_module};
use crate::error::ReportError;
use crate::findings::Findings;
use crate::xml::Xml;

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    xml.every_child(|xml| match xml.name() {
        b"Module" => module(xml, found),
        b"SourceFileNames" => source_file(xml, found),
        _ => xml.skip(),
    })
}

fn module(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut counts = [None; 5];
    while xml.child()? {
        match xml.name() {
            b"LinesCovered" => counts[0] = xml.integer()?,
            b"LinesPartiallyCovered" => counts[1] = xml.integer()?,
            b"LinesNotCovered" => counts[2] = xml.integer()?,
            b"BlocksCovered" => counts[3] = xml.integer()?,
            b"BlocksNotCovered" => counts[4] = xml.integer()?,
            _ => part(xml, found)?,
        }
    }
    add_module(counts, found);
    Ok(())
}

fn part(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    match xml.name() {
        b"NamespaceTable" | b"Class" => xml.every_child(|xml| part(xml, found)),
        b"Method" => method(xml, found),
        _ => xml.skip(),
    }
}

fn method(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut method = Method::new(());
    while xml.child()? {
        match xml.name() {
            b"MethodName" => method.rename(xml.text()?),
            b"Lines" => lines(xml)?.add_to(&mut method, found),
            _ => xml.skip()?,
        }
    }
    method.finish(&mut found.files);
    Ok(())
}

fn lines(xml: &mut Xml<'_>) -> Result<Span, ReportError> {
    let mut span = Span::default();
    while xml.child()? {
        match xml.name() {
            b"LnStart" => span.first = xml.integer()?,
            b"LnEnd" => span.last = xml.integer()?,
            b"SourceFileID" => span.file = xml.integer()?,
            b"Coverage" => {
                let coverage: Option<u64> = xml.integer()?;
                span.is_covered = coverage == Some(0);
                span.is_reached = matches!(coverage, Some(0 | 1));
            }
            _ => xml.skip()?,
        }
    }
    Ok(span)
}

fn source_file(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let (mut id, mut path) = (None, String::new());
    while xml.child()? {
        match xml.name() {
            b"SourceFileID" => id = xml.integer()?,
            b"SourceFileName" => path = xml.text()?,
            _ => xml.skip()?,
        }
    }
    if let Some(id) = id {
        found.files.name_id(id, &path);
    }
    Ok(())
}
