//! Cobertura: `coverage > packages > package > classes > class > lines > line`.
//!
//! The root states `lines-covered` and `lines-valid`, older tools only a `line-rate`.
//! The lines directly in a class count. Lines of its methods repeat them, or are lines that the tool does not count; they are
//! used only if the class has no element for lines.
//! Branches are read from `condition-coverage="50% (1/2)"`, and their names from `missing-branches="12,exit"`, which coverage.py
//! adds; a method counts as covered if any of its lines is.
//!
//! Source: <https://cobertura.sourceforge.net/xml/coverage-04.dtd>, and the reports of other tools.

use super::reader::{Inside, Root};
use crate::count::Count;
use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::{Files, key};
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::rate::Rate;
use crate::report::{BranchName, Scheme};
use crate::xml::{Xml, plain};

pub(super) fn claims(root: &Root, inside: Inside<'_>) -> bool {
    let by_attribute =
        inside == Inside::Unseen && (root.has("line-rate") || root.has("lines-valid"));
    by_attribute || inside.is("packages") || inside.is("sources")
}

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    summary(xml, found)?;
    let mut body = Body {
        found,
        of_methods: Vec::new(),
    };
    body.classes_within(xml)?;
    found.tool.name = xml.generator.clone();
    Ok(())
}

fn summary(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let warnings = &mut found.warnings;
    let [
        mut lines_covered,
        mut lines_valid,
        mut branches_covered,
        mut branches_valid,
    ] = [None; 4];
    xml.root_attributes(|name, value| match name {
        b"line-rate" => found.rate = warnings.checked("line-rate", value, Rate::parse(value)),
        b"lines-covered" => {
            lines_covered = warnings.checked("lines-covered", value, integer(value))
        }
        b"lines-valid" => lines_valid = warnings.checked("lines-valid", value, integer(value)),
        b"branches-covered" => branches_covered = integer(value),
        b"branches-valid" => branches_valid = integer(value),
        b"version" if !value.is_empty() => found.tool.version = Some(plain(value).into_owned()),
        _ => {}
    })?;
    found
        .stated
        .add(Counter::Line, warnings.count(lines_covered, lines_valid));
    found.stated.add(
        Counter::Branch,
        warnings.count(branches_covered, branches_valid),
    );
    Ok(())
}

/// The most folders that are kept, and the most bytes of each: the longest path on Linux (`PATH_MAX`).
const MAX_SOURCES: usize = 100;
const MAX_SOURCE_BYTES: usize = 4_096;

struct Body<'f> {
    found: &'f mut Findings,
    /// The lines that the methods of the current class list.
    of_methods: Vec<Line>,
}

impl Body<'_> {
    /// Finds classes at any depth: tools agree on the class, but not on the elements around it.
    fn classes_within(&mut self, xml: &mut Xml<'_>) -> Result<(), ReportError> {
        while xml.child()? {
            match xml.name() {
                b"class" => self.class(xml)?,
                b"sources" => self.sources(xml)?,
                _ => self.classes_within(xml)?,
            }
        }
        Ok(())
    }

    fn sources(&mut self, xml: &mut Xml<'_>) -> Result<(), ReportError> {
        while xml.child()? {
            let source = xml.text()?;
            let sources = &mut self.found.sources;
            if (1..=MAX_SOURCE_BYTES).contains(&source.len()) && sources.len() < MAX_SOURCES {
                sources.push(source);
            }
        }
        Ok(())
    }

    fn class(&mut self, xml: &mut Xml<'_>) -> Result<(), ReportError> {
        let [file, name] = xml.values([b"filename", b"name"])?;
        let class = key(name);
        let path = plain(file.or(name).unwrap_or_default());
        self.found.files.enter(&path);
        let mut has_lines = false;
        while xml.child()? {
            match xml.name() {
                b"lines" => {
                    has_lines = true;
                    while xml.child()? {
                        let with_names = self.found.files.with_lines();
                        if let Some(line) = line(xml, with_names)? {
                            line.add_to(&mut self.found.files);
                        }
                    }
                }
                b"methods" => {
                    while xml.child()? {
                        self.method(xml, class)?;
                    }
                }
                _ => xml.skip()?,
            }
        }
        let files = &mut self.found.files;
        files.give_back_memory(self.of_methods.len() * size_of::<Line>());
        for line in self.of_methods.drain(..) {
            if !has_lines {
                line.add_to(files);
            }
        }
        Ok(())
    }

    fn method(&mut self, xml: &mut Xml<'_>, class: u64) -> Result<(), ReportError> {
        let [name, signature] = xml.values([b"name", b"signature"])?;
        let method = key((class, name, signature));
        let (mut first_line, mut is_covered) = (None, false);
        xml.children(b"lines", |xml| {
            while xml.child()? {
                let Some(line) = line(xml, false)? else {
                    continue;
                };
                first_line = first_line.or(Some(line.number));
                is_covered |= line.hits > 0;
                if self.found.files.take_memory(size_of::<Line>()) {
                    self.of_methods.push(line);
                }
            }
            Ok(())
        })?;
        if first_line.is_some() {
            let method = key((method, first_line));
            self.found.files.function(method, is_covered);
        }
        Ok(())
    }
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
    let slash = memchr::memchr(b'/', inside)?;
    Count::new(integer(&inside[..slash])?, integer(&inside[slash + 1..])?)
}

#[cfg(test)]
mod tests;
