//! Testwell CTC++, as `ctcreport` writes it with an XML template: `coverage > file > function > line`.
//!
//! The user of CTC++ chooses what is measured. The total is in statements, as the files state them; without them in
//! executable lines, then in decisions, then in the first measure with any other name, such as `MC/DC`.
//! No measure is stated for the whole report.
//!
//! Source: reports of ctcreport 10, in two forms that differ in the names of attributes.

use super::method::Method;
use super::reader::{Inside, Root};
use crate::counter::{Counter, Counters};
use crate::error::ReportError;
use crate::findings::Findings;
use crate::number::integer;
use crate::xml::{Xml, enter};

pub(super) fn claims(root: &Root, inside: Inside<'_>) -> bool {
    inside == Inside::Unseen && (root.has("ctcreportVersion") || root.has("ctcreport-version"))
}

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    for version in [&b"ctcreportVersion"[..], b"ctcreport-version"] {
        xml.root_text(version, &mut found.tool.version)?;
    }
    found.total = &[
        Counter::Statement,
        Counter::Line,
        Counter::Branch,
        Counter::Probe,
        Counter::Function,
    ];
    files_within(xml, found)
}

/// Finds files at any depth: there may be a project around them.
fn files_within(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    xml.every_child(|xml| match xml.name() {
        b"file" => file(xml, found),
        _ => files_within(xml, found),
    })
}

fn file(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let [path, file] = xml.values([b"location", b"name"])?;
    enter(path.or(file), &mut found.files);
    let mut stated = Counters::default();
    xml.every_child(|xml| match xml.name() {
        b"measure" => measure(xml, found, &mut stated),
        _ => function(xml, found),
    })?;
    found.files.add_all(&stated);
    Ok(())
}

fn measure(
    xml: &mut Xml<'_>,
    found: &mut Findings,
    stated: &mut Counters,
) -> Result<(), ReportError> {
    let (mut counter, mut covered, mut total) = (Counter::Probe, None, None);
    xml.attributes(|name, value| match name {
        b"name" => counter = counter_of(value),
        b"hits" | b"Hits" => covered = integer(value),
        b"checkpoints" | b"Checkpoints" => total = integer(value),
        _ => {}
    })?;
    if stated.get(counter).is_none() {
        stated.add(counter, found.warnings.count(covered, total));
    }
    xml.skip()
}

fn counter_of(measure: &[u8]) -> Counter {
    match measure {
        b"Statement" => Counter::Statement,
        b"Decision" => Counter::Branch,
        b"Function" => Counter::Function,
        _ => Counter::Probe,
    }
}

/// Reads the lines of a function. Lines outside functions are in an element without a name.
fn function(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let files = &mut found.files;
    let name = xml.attribute(b"name")?.filter(|name| !name.is_empty());
    let mut function = name.map(Method::new);
    xml.children(b"line", |xml| {
        if let Some((number, is_executed)) = line(xml)? {
            files.line(number, u64::from(is_executed));
            if let Some(function) = &mut function {
                function.add(files, Some(number), is_executed);
            }
        }
        xml.skip()
    })?;
    if let Some(function) = function {
        function.finish(files);
    }
    Ok(())
}

/// The number of an executable line and whether it ran. Declarations are executable lines that never run.
fn line(xml: &Xml<'_>) -> Result<Option<(u32, bool)>, ReportError> {
    let (mut number, mut is_code, mut is_executed) = (None, false, None);
    xml.attributes(|name, value| match name {
        b"number" => number = integer(value),
        b"codeType" | b"type" => is_code = value == b"Executable",
        b"isExecuted" | b"status" => {
            is_executed = match value {
                b"Executed" => Some(true),
                b"NotExecuted" => Some(false),
                _ => None,
            }
        }
        _ => {}
    })?;
    Ok(number
        .filter(|&number| is_code && number > 0)
        .zip(is_executed))
}

#[cfg(test)]
mod tests;
