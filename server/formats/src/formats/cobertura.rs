//! Cobertura: `coverage > packages > package > classes > class > lines > line`.
//!
//! The root states `lines-covered` and `lines-valid`, older tools only a `line-rate`.
//! The lines directly in a class count. Lines of its methods repeat them, or are lines that the tool does not count; they are
//! used only if the class has no element for lines.
//! Branches are read from `condition-coverage="50% (1/2)"`, and their names from `missing-branches="12,exit"`, which coverage.py
//! adds; a method counts as covered if any of its lines is.
//!
//! Source: <https://cobertura.sourceforge.net/xml/coverage-04.dtd>, and the reports of other tools.

use super::method::Method;
use super::reader::{Inside, Root};
use crate::count::Count;
use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::{Files, key};
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::rate::Rate;
use crate::report::{BranchName, Scheme};
use crate::warning::Stated;
use crate::xml::{Xml, enter, plain};

pub(super) fn claims(root: &Root, inside: Inside<'_>) -> bool {
    let by_attribute =
        inside == Inside::Unseen && (root.has("line-rate") || root.has("lines-valid"));
    by_attribute || inside.is("packages") || inside.is("sources")
}

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    summary(xml, found)?;
    classes_within(xml, &mut Vec::new(), found)?;
    found.tool.name = xml.generator.clone();
    Ok(())
}

fn summary(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let warnings = &mut found.warnings;
    let mut lines = Stated::of([(Counter::Line, "lines-covered", "lines-valid")]);
    let mut branches = Stated::of([(Counter::Branch, "branches-covered", "branches-valid")]);
    xml.root_attributes(|name, value| match name {
        b"line-rate" => found.rate = warnings.checked("line-rate", value, Rate::parse(value)),
        b"version" if !value.is_empty() => found.tool.version = Some(plain(value).into_owned()),
        _ => {
            lines.see_checked(name, value, warnings);
            branches.see(name, value);
        }
    })?;
    found.stated.add_all(&lines.counters(warnings));
    found.stated.add_all(&branches.counters(warnings));
    Ok(())
}

/// The maximum number of `<source>` folders that are kept, and of bytes of each path: the longest path on Linux (`PATH_MAX`).
const MAX_SOURCES: usize = 100;
const MAX_SOURCE_BYTES: usize = 4_096;

/// Finds classes at any depth: tools agree on the class, but not on the elements around it.
fn classes_within(
    xml: &mut Xml<'_>,
    of_methods: &mut Vec<Line>,
    found: &mut Findings,
) -> Result<(), ReportError> {
    xml.every_child(|xml| match xml.name() {
        b"class" => class(xml, of_methods, &mut found.files),
        b"sources" => xml.every_child(|xml| source(xml, &mut found.sources)),
        _ => classes_within(xml, of_methods, found),
    })
}

fn source(xml: &mut Xml<'_>, sources: &mut Vec<String>) -> Result<(), ReportError> {
    let source = xml.text()?;
    if (1..=MAX_SOURCE_BYTES).contains(&source.len()) && sources.len() < MAX_SOURCES {
        sources.push(source);
    }
    Ok(())
}

/// Reads a class. `of_methods` is empty before and after; it keeps its memory for the next class.
fn class(
    xml: &mut Xml<'_>,
    of_methods: &mut Vec<Line>,
    files: &mut Files,
) -> Result<(), ReportError> {
    let [file, name] = xml.values([b"filename", b"name"])?;
    let class = key(name);
    enter(file.or(name), files);
    let mut has_lines = false;
    xml.every_child(|xml| match xml.name() {
        b"lines" => {
            has_lines = true;
            xml.every_child(|xml| {
                if let Some(line) = line(xml, files.with_lines())? {
                    line.add_to(files);
                }
                Ok(())
            })
        }
        b"methods" => xml.every_child(|xml| method(xml, class, of_methods, files)),
        _ => xml.skip(),
    })?;
    files.give_back_memory(of_methods.len() * size_of::<Line>());
    for line in of_methods.drain(..) {
        if !has_lines {
            line.add_to(files);
        }
    }
    Ok(())
}

/// Reads a method, and adds its lines to `lines`.
fn method(
    xml: &mut Xml<'_>,
    class: u64,
    lines: &mut Vec<Line>,
    files: &mut Files,
) -> Result<(), ReportError> {
    let mut method = Method::new((class, xml.values([b"name", b"signature"])?));
    xml.children(b"lines", |xml| {
        xml.every_child(|xml| {
            let Some(line) = line(xml, false)? else {
                return Ok(());
            };
            method.add(files, Some(line.number), line.hits > 0);
            if files.take_memory(size_of::<Line>()) {
                lines.push(line);
            }
            Ok(())
        })
    })?;
    method.finish(files);
    Ok(())
}

struct Line {
    number: u32,
    hits: u64,
    branches: Option<Count>,
    /// The lines to which missed branches lead. 0 is the exit of the function.
    missed: Vec<u32>,
}

impl Line {
    fn add_to(&self, files: &mut Files) {
        files.line(self.number, self.hits);
        if let Some(branches) = self.branches {
            files.branches(self.number, branches);
        }
        for &destination in &self.missed {
            let name = BranchName::new(Scheme::Destination, destination);
            files.branch_on(self.number, name, false);
        }
    }
}

/// Reads a line. `None` if it has no number.
fn line(xml: &mut Xml<'_>, with_names: bool) -> Result<Option<Line>, ReportError> {
    let (mut number, mut line_hits, mut branches) = (None, 0, None);
    let mut missed = Vec::new();
    xml.attributes(|name, value| match name {
        b"number" => number = integer(value),
        b"hits" => line_hits = hits(value),
        b"condition-coverage" => branches = conditions(value),
        b"missing-branches" if with_names => missed = destinations(value),
        _ => {}
    })?;
    xml.skip()?;
    Ok(number.map(|number| Line {
        number,
        hits: line_hits,
        branches,
        missed,
    }))
}

/// Reads `12,exit`, which coverage.py writes.
fn destinations(text: &[u8]) -> Vec<u32> {
    let destinations = text.split(|&byte| byte == b',');
    let destinations = destinations.map(|destination| match destination.trim_ascii() {
        b"exit" => Some(0),
        line => integer(line),
    });
    destinations.collect::<Option<_>>().unwrap_or_default()
}

/// Reads `50% (1/2)`.
fn conditions(text: &[u8]) -> Option<Count> {
    let open = memchr::memchr(b'(', text)?;
    let inside = text[open + 1..].trim_ascii_end().strip_suffix(b")")?;
    Count::parse(inside)
}

#[cfg(test)]
mod tests;
