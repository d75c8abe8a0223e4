//! dotCover: `Root > Assembly > Namespace > Type > Method > Statement`, after a table of files.
//!
//! The total is in statements: the root's `CoveredStatements` of `TotalStatements`, otherwise the listed statements, which only
//! reports of the type `DetailedXml` have. `CoveragePercent` is a whole number and is used only without any counts.
//!
//! Source: the reports of JetBrains' `dotCover report --reportType=XML`, `DetailedXML` and `NDependXML`.

use super::method::Method;
use super::reader::{Inside, Root};
use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::key;
use crate::findings::Findings;
use crate::number::integer;
use crate::rate::Rate;
use crate::warning::Stated;
use crate::xml::Xml;

pub(super) fn claims(root: &Root, _: Inside<'_>) -> bool {
    const MARKS: [&str; 3] = ["CoveredStatements", "CoveragePercent", "DotCoverVersion"];
    MARKS.iter().any(|mark| root.has(mark))
}

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    found.total = &[Counter::Statement];
    let mut rate = None;
    xml.root_text(b"CoveragePercent", &mut rate)?;
    xml.root_text(b"DotCoverVersion", &mut found.tool.version)?;
    let mut stated = Stated::of([(Counter::Statement, "CoveredStatements", "TotalStatements")]);
    xml.root_attributes(|name, value| stated.see(name, value))?;
    found.stated.add_all(&stated.counters(&mut found.warnings));
    xml.every_child(|xml| match xml.name() {
        b"FileIndices" => xml.every_child(|xml| {
            xml.file_of_id(b"Index", b"Name", &mut found.files)?;
            xml.skip()
        }),
        // A file may be in two assemblies: its methods count once, like its lines.
        _ => xml.every_child(|xml| member(xml, 0, found)),
    })?;
    if found.files.overflowed || !found.files.know(Counter::Statement) {
        found.rate = rate.and_then(|rate| Rate::of_percent(rate.as_bytes()));
    }
    Ok(())
}

/// Reads the elements of an assembly at any depth: an element with statements is a method.
fn member(xml: &mut Xml<'_>, outer: u64, found: &mut Findings) -> Result<(), ReportError> {
    let name = key((outer, xml.attribute(b"Name")?));
    let mut method = Method::new(name);
    xml.every_child(|xml| match xml.name() {
        b"Statement" => statement(xml, &mut method, found),
        _ => member(xml, name, found),
    })?;
    method.finish(&mut found.files);
    Ok(())
}

fn statement(
    xml: &mut Xml<'_>,
    method: &mut Method,
    found: &mut Findings,
) -> Result<(), ReportError> {
    let (mut file, mut line, mut is_covered) = (None, None, false);
    xml.attributes(|name, value| match name {
        b"FileIndex" => file = integer(value),
        b"Line" => line = integer(value),
        b"Covered" => is_covered = value.eq_ignore_ascii_case(b"true"),
        _ => {}
    })?;
    found.files.enter_id(file);
    method.statement(&mut found.files, line, u64::from(is_covered));
    xml.skip()
}

#[cfg(test)]
mod tests;
