//! Clover: `coverage > project > package* > file > line`, with metrics at every level.
//!
//! The metrics of the whole report are a child of the project: the first in Clover's own reports, the last in PHPUnit's.
//! The total is in statements, which are lines in reports of istanbul and gcovr. If no statements are stated, it is in
//! elements: statements, conditionals and methods together, as on Clover's own pages.
//! `testproject` holds the coverage of the tests themselves and does not count.
//!
//! Source: <https://openclover.org/doc/manual/latest/faq--understanding-clovers-coverage-percentages.html>,
//! and the reports of other tools.

use super::reader::{Inside, Root};
use crate::counter::{Counter, Counters};
use crate::error::ReportError;
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::warning::{Stated, Warnings};
use crate::xml::{Xml, enter, plain};

pub(super) fn claims(root: &Root, inside: Inside<'_>) -> bool {
    let by_attribute = inside == Inside::Unseen && (root.has("generated") || root.has("clover"));
    by_attribute || inside.is("project") || inside.is("testproject")
}

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let mut version = None;
    xml.root_text(b"clover", &mut version)?;
    // gcovr writes a time there.
    if let Some(version) = version.filter(|version| version.contains('.')) {
        found.tool.version = Some(version);
    }
    xml.children(b"project", |xml| {
        let name = xml.attribute(b"name")?;
        found.project = name.map(|name| plain(name).into_owned());
        xml.every_child(|xml| {
            if xml.name() == b"metrics" {
                found.stated.add_all(&metrics(xml, &mut found.warnings)?);
            }
            part(xml, found)
        })
    })?;
    found.total = total(found);
    Ok(())
}

/// Elements are used only if no statements are stated.
fn total(found: &Findings) -> &'static [Counter] {
    let states = |counter| found.stated.get(counter).is_some() || found.files.know(counter);
    if states(Counter::Statement) {
        &[Counter::Statement, Counter::Line]
    } else if states(Counter::Element) {
        &[Counter::Element, Counter::Line]
    } else {
        &[Counter::Line]
    }
}

/// Reads a package or a file. Older versions of istanbul put the packages into the project's metrics.
fn part(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    match xml.name() {
        b"package" | b"metrics" => xml.every_child(|xml| part(xml, found)),
        b"file" => file(xml, found),
        _ => xml.skip(),
    }
}

fn file(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let [path, file] = xml.values([b"path", b"name"])?;
    enter(path.or(file), &mut found.files);
    xml.every_child(|xml| match xml.name() {
        b"metrics" => {
            let stated = metrics(xml, &mut found.warnings)?;
            found.files.add_all(&stated);
            xml.skip()
        }
        b"line" => line(xml, found),
        _ => xml.skip(),
    })
}

/// A condition is a line as well; a method is not. The meaning of a condition's `truecount` and `falsecount`
/// differs between tools, so they are used only without `count`.
fn line(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let (mut number, mut is_line, mut count, mut either_way) = (None, false, None, 0_u64);
    xml.attributes(|name, value| match name {
        b"num" => number = integer(value),
        b"type" => is_line = matches!(value, b"stmt" | b"cond"),
        b"count" => count = Some(hits(value)),
        b"truecount" | b"falsecount" => either_way = either_way.saturating_add(hits(value)),
        _ => {}
    })?;
    if let (Some(number), true) = (number, is_line) {
        found.files.line(number, count.unwrap_or(either_way));
    }
    xml.skip()
}

/// The counts in the tag of a `metrics` element.
fn metrics(xml: &Xml<'_>, warnings: &mut Warnings) -> Result<Counters, ReportError> {
    let mut stated = Stated::of([
        (Counter::Statement, "coveredstatements", "statements"),
        (Counter::Element, "coveredelements", "elements"),
        (Counter::Branch, "coveredconditionals", "conditionals"),
        (Counter::Function, "coveredmethods", "methods"),
        (Counter::Class, "coveredclasses", "classes"),
    ]);
    xml.attributes(|name, value| stated.see(name, value))?;
    Ok(stated.counters(warnings))
}

#[cfg(test)]
mod tests;
