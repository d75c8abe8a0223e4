//! OpenCover: `CoverageSession > Modules > Module > Classes > Class > Methods > Method > SequencePoints > SequencePoint`.
//!
//! The total is in sequence points, which are statements. The root's own `Summary` states it, which OpenCover also prints;
//! otherwise the listed points are added up. Modules, classes and methods may also have a `Summary`.
//! `sequenceCoverage` is a percentage in OpenCover, was a fraction in an old coverlet, and is not read.
//!
//! The branches of the whole report are the branches in the `Summary`. OpenCover and AltCover add one branch for each method: its
//! entry. Files have only the branch points.
//!
//! Tests are the tracked methods, whose ids are unique in the report. They may come after the points that refer to them.
//!
//! Source: OpenCover's `OpenCover.Framework/Model`, coverlet's `OpenCoverReporter`, and reports of AltCover.

use super::method::Method;
use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::key;
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::report::{BranchName, Scheme};
use crate::warning::Stated;
use crate::xml::{Xml, plain};

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    found.total = &[Counter::Statement];
    found.files.forget_test_ids();
    xml.root_text(b"Version", &mut found.tool.version)?;
    xml.every_child(|xml| match xml.name() {
        b"Summary" => summary(xml, found),
        _ => part(xml, found),
    })
}

fn summary(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut stated = Stated::of([
        (
            Counter::Statement,
            "visitedSequencePoints",
            "numSequencePoints",
        ),
        (Counter::Branch, "visitedBranchPoints", "numBranchPoints"),
        (Counter::Function, "visitedMethods", "numMethods"),
        (Counter::Class, "visitedClasses", "numClasses"),
    ]);
    xml.attributes(|name, value| stated.see(name, value))?;
    found.stated.add_all(&stated.counters(&mut found.warnings));
    xml.skip()
}

/// Reads the elements between the root and the methods. File numbers are valid within a module.
fn part(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    match xml.name() {
        b"Method" => return method(xml, found),
        b"TrackedMethods" => {
            return xml.children(b"TrackedMethod", |xml| tracked_method(xml, found));
        }
        b"Module" => found.files.forget_ids(),
        b"File" => xml.file_of_id(b"uid", b"fullPath", &mut found.files)?,
        b"Modules" | b"Files" | b"Classes" | b"Class" | b"Methods" => {}
        _ => return xml.skip(),
    }
    xml.every_child(|xml| part(xml, found))
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
                xml.children(b"SequencePoint", |xml| point(xml, file, &mut method, found))?
            }
            b"BranchPoints" => {
                xml.children(b"BranchPoint", |xml| branch(xml, file, method.key, found))?
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
    xml.children(b"TrackedMethodRefs", |xml| {
        xml.children(b"TrackedMethodRef", |xml| {
            let test = xml.attribute(b"uid")?.and_then(integer);
            let test = test.and_then(|id| found.files.test_of_id(id));
            if let (Some(line), Some(test), true) = (line, test, visits > 0) {
                found.files.tested(line, test);
            }
            xml.skip()
        })
    })
}

/// Reads `<TrackedMethod uid="1" name="System.Void Tests::Fee()" …/>`.
fn tracked_method(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let id = xml.attribute(b"uid")?.and_then(integer);
    if let (Some(id), Some(name)) = (id, xml.attribute(b"name")?) {
        found.files.name_test(id, &plain(name));
    }
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
        let text = [ordinal, b",", offset, b",", path];
        let name = BranchName::of_text(Scheme::Offset, text.into_iter().flatten());
        found.files.branch_on(line, name, visits > 0);
    }
    xml.skip()
}

#[cfg(test)]
mod tests;
