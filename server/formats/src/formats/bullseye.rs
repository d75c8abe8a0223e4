//! BullseyeCoverage, as `covxml` writes it: `BullseyeCoverage > folder* > src > fn > probe`.
//!
//! It measures functions and conditions, not lines. The total is in functions. The root states them; otherwise the counts of its
//! direct children are added up. The listed lines are the lines with a probe or the start of a block.
//!
//! Source: <https://www.bullseye.com/help/ref-covxml.html>.

use crate::counter::{Counter, Counters};
use crate::error::ReportError;
use crate::files::Files;
use crate::findings::Findings;
use crate::number::integer;
use crate::paths::join;
use crate::warning::Stated;
use crate::xml::{Xml, plain};

/// The attributes with the counts of an element. `d_cov` and `d_total` are left out: `cd_` includes decisions.
const COUNTS: [(Counter, &str, &str); 2] = [
    (Counter::Function, "fn_cov", "fn_total"),
    (Counter::Branch, "cd_cov", "cd_total"),
];

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    xml.root_text(b"version", &mut found.tool.version)?;
    let mut stated = Stated::of(COUNTS);
    xml.root_attributes(|name, value| stated.see(name, value))?;
    let root = stated.counters(&mut found.warnings);
    let mut children = Counters::default();
    while xml.child()? {
        children.add_all(&part(xml, "", found)?);
    }
    // In a known case, a root with impossible counts of functions had all numbers in the wrong attributes.
    let is_stated = root.get(Counter::Function).is_some();
    found
        .stated
        .add_all(if is_stated { &root } else { &children });
    found.total = &[Counter::Function, Counter::Branch];
    Ok(())
}

/// Reads a folder or a source file within `folder`, and returns its stated counts.
fn part(xml: &mut Xml<'_>, folder: &str, found: &mut Findings) -> Result<Counters, ReportError> {
    let mut stated = Stated::of(COUNTS);
    xml.attributes(|name, value| stated.see(name, value))?;
    let stated = stated.counters(&mut found.warnings);
    let name = plain(xml.attribute(b"name")?.unwrap_or_default());
    let path = match &*name {
        "" => folder.to_owned(),
        name => join(folder, name),
    };
    match xml.name() {
        b"folder" => {
            xml.every_child(|xml| part(xml, &path, found).map(drop))?;
        }
        b"src" => {
            found.files.enter(&path);
            found.files.add_all(&stated);
            xml.every_child(|xml| function(xml, &mut found.files))?;
        }
        _ => {
            xml.skip()?;
            return Ok(Counters::default());
        }
    }
    Ok(stated)
}

fn function(xml: &mut Xml<'_>, files: &mut Files) -> Result<(), ReportError> {
    while xml.child()? {
        // A constant condition always has the same outcome, and does not count.
        let (mut line, mut is_reached, mut is_constant) = (None, None, false);
        xml.attributes(|name, value| match name {
            b"line" => line = integer(value),
            b"event" => is_reached = Some(value != b"none"),
            b"entered" => is_reached = Some(value != b"0"),
            b"kind" => is_constant = value == b"constant",
            _ => {}
        })?;
        if let (Some(line @ 1..), Some(is_reached), false) = (line, is_reached, is_constant) {
            files.line(line, u64::from(is_reached));
        }
        xml.skip()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
