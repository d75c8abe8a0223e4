//! NCover: `coverage > module > method > seqpnt`, as NCover 1.5 and AltCover write it, and with other names as NCover 3
//! exports it.
//!
//! No total is stated. It is in sequence points, which are statements. Points do not count if they, their method, their class
//! or their module are excluded, or if their code has no line.
//!
//! Source: `Coverage.xml` of NCover 1.5, AltCover's `--reportFormat NCover`, and the export of NCover 3
//! (`exportversion="3"`), where methods are inside classes, a table of documents comes first, and names are short.

use super::method::Method;
use super::reader::{Inside, Root};
use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::key;
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::xml::{Xml, enter};

pub(super) fn claims(root: &Root, inside: Inside<'_>) -> bool {
    inside == Inside::Unseen && root.has("profilerVersion")
}

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    found.total = &[Counter::Statement];
    xml.root_text(b"profilerVersion", &mut found.tool.version)?;
    xml.every_child(|xml| match xml.name() {
        b"documents" => xml.every_child(|xml| document(xml, found)),
        _ => part(xml, 0, found),
    })
}

fn document(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    // `None` is the document of points without a document.
    if xml.attribute(b"url")? != Some(b"None") {
        xml.file_of_id(b"id", b"url", &mut found.files)?;
    }
    xml.skip()
}

/// Reads a module, class or method. NCover 3 has classes around methods; other tools name the class at the method.
fn part(xml: &mut Xml<'_>, class: u64, found: &mut Findings) -> Result<(), ReportError> {
    // Overloads differ in `fullname` in AltCover, and in `signature` in NCover 3.
    let names = xml.values([b"class", b"name", b"fullname", b"signature"])?;
    let name = key((class, names));
    let is_excluded = xml
        .attribute(b"excluded")?
        .is_some_and(|value| value.eq_ignore_ascii_case(b"true"));
    match xml.name() {
        _ if is_excluded => xml.skip(),
        b"method" => {
            let mut method = Method::new(name);
            xml.children(b"seqpnt", |xml| point(xml, &mut method, found))?;
            method.finish(&mut found.files);
            Ok(())
        }
        // A file may be in two modules: its methods count once, like its lines.
        b"module" => xml.every_child(|xml| part(xml, 0, found)),
        b"class" => xml.every_child(|xml| part(xml, name, found)),
        _ => xml.skip(),
    }
}

fn point(xml: &mut Xml<'_>, method: &mut Method, found: &mut Findings) -> Result<(), ReportError> {
    let (mut path, mut id, mut line, mut visits, mut is_excluded) = (None, None, None, 0, false);
    xml.attributes(|name, value| match name {
        b"visitcount" | b"vc" => visits = hits(value),
        b"line" | b"l" => line = integer(value),
        b"excluded" | b"ex" => is_excluded = value.eq_ignore_ascii_case(b"true"),
        b"document" => path = Some(value),
        b"doc" => id = integer(value),
        _ => {}
    })?;
    if !is_excluded {
        match path {
            Some(_) => enter(path, &mut found.files),
            None => found.files.enter_id(id),
        }
        method.statement(&mut found.files, line, visits);
    }
    xml.skip()
}

#[cfg(test)]
mod tests;
