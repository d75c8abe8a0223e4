//! OpenCover: `CoverageSession > Modules > Module > Classes > Class > Methods > Method > SequencePoints > SequencePoint`.
//!
//! The total is in sequence points, which are statements. The root's own `Summary` states it, which OpenCover also prints;
//! otherwise the listed points are added up. Modules, classes and methods may also have a `Summary`.
//! `sequenceCoverage` is a percentage in OpenCover, was a fraction in an old coverlet, and is not read.
//!
//! The branches of the whole report are the branches in the `Summary`. OpenCover and AltCover add one branch for each method: its
//! entry. Files have only the branch points.
//!
//! Source: OpenCover's `OpenCover.Framework/Model`, coverlet's `OpenCoverReporter`, and reports of AltCover.

use super::method::Method;
use super::reader::{Reader, Root};
use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::key;
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::report::{BranchName, Scheme};
use crate::xml::{Xml, plain};

pub(super) const READER: Reader = Reader::Xml {
    roots: &["CoverageSession"],
    claims: |_: &Root, _| true,
    read,
};

fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    found.total = &[Counter::Statement];
    xml.root_attributes(|name, value| {
        if name == b"Version" {
            found.tool.version = Some(plain(value).into_owned());
        }
    })?;
    while xml.child()? {
        match xml.name() {
            b"Summary" => summary(xml, found)?,
            _ => part(xml, found)?,
        }
    }
    Ok(())
}

fn summary(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let [mut points, mut branches, mut methods, mut classes] = [(None, None); 4];
    xml.attributes(|name, value| match name {
        b"visitedSequencePoints" => points.0 = integer(value),
        b"numSequencePoints" => points.1 = integer(value),
        b"visitedBranchPoints" => branches.0 = integer(value),
        b"numBranchPoints" => branches.1 = integer(value),
        b"visitedMethods" => methods.0 = integer(value),
        b"numMethods" => methods.1 = integer(value),
        b"visitedClasses" => classes.0 = integer(value),
        b"numClasses" => classes.1 = integer(value),
        _ => {}
    })?;
    let stated = [
        (Counter::Statement, points),
        (Counter::Branch, branches),
        (Counter::Function, methods),
        (Counter::Class, classes),
    ];
    found.warnings.add_counts(&mut found.stated, stated);
    xml.skip()
}

/// Reads the elements between the root and the methods. File numbers are valid within a module.
fn part(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    match xml.name() {
        b"Method" => return method(xml, found),
        b"Module" => found.files.forget_ids(),
        b"File" => file(xml, found)?,
        b"Modules" | b"Files" | b"Classes" | b"Class" | b"Methods" => {}
        _ => return xml.skip(),
    }
    while xml.child()? {
        part(xml, found)?;
    }
    Ok(())
}

fn file(xml: &Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let (mut id, mut path) = (None, None);
    xml.attributes(|name, value| match name {
        b"uid" => id = integer(value),
        b"fullPath" => path = Some(value),
        _ => {}
    })?;
    if let (Some(id), Some(path)) = (id, path) {
        found.files.name_id(id, &plain(path));
    }
    Ok(())
}

/// A method's file comes before its points, which may name another file, such as the file of included code.
fn method(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let (mut method, mut file) = (Method::new(xml.attribute(b"name")?), None);
    while xml.child()? {
        match xml.name() {
            b"Name" => method.rename(xml.text()?),
            b"FileRef" => {
                file = xml.attribute(b"uid")?.and_then(integer);
                xml.skip()?;
            }
            b"SequencePoints" => {
                while xml.child()? {
                    match xml.name() {
                        b"SequencePoint" => point(xml, file, &mut method, found)?,
                        _ => xml.skip()?,
                    }
                }
            }
            b"BranchPoints" => {
                while xml.child()? {
                    match xml.name() {
                        b"BranchPoint" => branch(xml, file, method.key(), found)?,
                        _ => xml.skip()?,
                    }
                }
            }
            // Includes the `MethodPoint`, which repeats the first sequence point.
            _ => xml.skip()?,
        }
    }
    method.finish(&mut found.files);
    Ok(())
}

fn point(
    xml: &mut Xml<'_>,
    mut file: Option<u64>,
    method: &mut Method,
    found: &mut Findings,
) -> Result<(), ReportError> {
    let (mut line, mut visits) = (None, 0);
    xml.attributes(|name, value| match name {
        b"vc" => visits = hits(value),
        b"sl" => line = integer(value),
        b"fileid" => file = integer(value).or(file),
        _ => {}
    })?;
    found.files.enter_id(file);
    method.statement(&mut found.files, line, visits);
    xml.skip()
}

fn branch(
    xml: &mut Xml<'_>,
    mut file: Option<u64>,
    method: u64,
    found: &mut Findings,
) -> Result<(), ReportError> {
    let (mut visits, mut place) = (0, [None; 4]);
    xml.attributes(|name, value| match name {
        b"vc" => visits = hits(value),
        b"ordinal" => place[0] = Some(value),
        b"offset" => place[1] = Some(value),
        b"path" => place[2] = Some(value),
        b"sl" => place[3] = Some(value),
        b"fileid" => file = integer(value).or(file),
        _ => {}
    })?;
    found.files.enter_id(file);
    found.files.branch(key((method, place)), visits > 0);
    if let Some(line) = place[3].and_then(integer) {
        let [ordinal, offset, path, _] = place.map(Option::unwrap_or_default);
        let text = ordinal
            .iter()
            .chain(b",")
            .chain(offset)
            .chain(b",")
            .chain(path);
        let name = BranchName::of_text(Scheme::Offset, text);
        found.files.branch_on(line, name, visits > 0);
    }
    xml.skip()
}

#[cfg(test)]
mod tests;
