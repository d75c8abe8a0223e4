//! `results`: `modules > module > functions > function > ranges > range`, with `source_files` next to the functions.
//!
//! Functions state the same counts as modules. File numbers are valid within a module; the next module starts again.

use super::{Method, Module, Span};
use crate::error::ReportError;
use crate::findings::Findings;
use crate::number::integer;
use crate::xml::{Xml, plain};

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    while xml.child()? {
        part(xml, found)?;
    }
    Ok(())
}

fn part(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    match xml.name() {
        b"function" => return function(xml, found),
        b"module" => module(xml, found)?,
        b"source_file" => source_file(xml, found)?,
        b"modules" | b"functions" | b"source_files" => {}
        _ => return xml.skip(),
    }
    while xml.child()? {
        part(xml, found)?;
    }
    Ok(())
}

fn module(xml: &Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut module = Module::default();
    xml.attributes(|name, value| match name {
        b"lines_covered" => module.lines_covered = integer(value),
        b"lines_partially_covered" => module.lines_partially_covered = integer(value),
        b"lines_not_covered" => module.lines_not_covered = integer(value),
        b"blocks_covered" => module.blocks_covered = integer(value),
        b"blocks_not_covered" => module.blocks_not_covered = integer(value),
        _ => {}
    })?;
    module.add_to(found);
    found.files.forget_ids();
    Ok(())
}

fn source_file(xml: &Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let (mut id, mut path) = (None, None);
    xml.attributes(|name, value| match name {
        b"id" => id = integer(value),
        b"path" => path = Some(value),
        _ => {}
    })?;
    if let (Some(id), Some(path)) = (id, path) {
        found.files.name_id(id, &plain(path));
    }
    Ok(())
}

fn function(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut names = [None; 3];
    xml.attributes(|name, value| match name {
        b"namespace" => names[0] = Some(value),
        b"type_name" => names[1] = Some(value),
        b"name" => names[2] = Some(value),
        _ => {}
    })?;
    let mut function = Method::new(names);
    while xml.child()? {
        match xml.name() {
            b"ranges" => {
                while xml.child()? {
                    range(xml)?.add_to(&mut function, found);
                    xml.skip()?;
                }
            }
            _ => xml.skip()?,
        }
    }
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
