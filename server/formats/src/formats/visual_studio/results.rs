//! `results`: `modules > module > functions > function > ranges > range`, with `source_files` next to the functions.
//!
//! Functions state the same counts as modules. File numbers are valid within a module; the next module starts again.

use super::{Method, Span, add_module};
use crate::error::ReportError;
use crate::findings::Findings;
use crate::number::integer;
use crate::xml::Xml;

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    xml.every_child(|xml| part(xml, found))
}

fn part(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    match xml.name() {
        b"function" => return function(xml, found),
        b"module" => module(xml, found)?,
        b"source_file" => xml.file_of_id(b"id", b"path", &mut found.files)?,
        b"modules" | b"functions" | b"source_files" => {}
        _ => return xml.skip(),
    }
    xml.every_child(|xml| part(xml, found))
}

fn module(xml: &Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let counts = xml.values([
        b"lines_covered",
        b"lines_partially_covered",
        b"lines_not_covered",
        b"blocks_covered",
        b"blocks_not_covered",
    ])?;
    add_module(counts.map(|count| count.and_then(integer)), found);
    found.files.forget_ids();
    Ok(())
}

fn function(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut function = Method::new(xml.values([b"namespace", b"type_name", b"name"])?);
    xml.children(b"ranges", |xml| {
        xml.every_child(|xml| {
            range(xml)?.add_to(&mut function, found);
            xml.skip()
        })
    })?;
    function.finish(&mut found.files);
    Ok(())
}

fn range(xml: &Xml<'_>) -> Result<Span, ReportError> {
    let mut span = Span::default();
    xml.attributes(|name, value| match name {
        b"source_id" => span.file = integer(value),
        b"start_line" => span.first = integer(value),
        b"end_line" => span.last = integer(value),
        b"covered" => {
            span.is_covered = value == b"yes";
            span.is_reached = matches!(value, b"yes" | b"partial");
        }
        _ => {}
    })?;
    Ok(span)
}
