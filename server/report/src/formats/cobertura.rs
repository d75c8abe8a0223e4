//! Cobertura: `coverage > packages > package > classes > class > lines > line`.
//!
//! The root states `lines-covered` and `lines-valid`, older writers only a `line-rate`.
//! Counted are the lines directly in a class: those of its methods repeat them, or are not among the tool's lines.
//! Branches are read from `condition-coverage="50% (1/2)"`; a method counts as covered if any of its lines is.
//!
//! Source: <https://cobertura.sourceforge.net/xml/coverage-04.dtd>, and what writers do beyond it.

use super::{Inside, Reader, Root};
use crate::count::Count;
use crate::counter::Counter;
use crate::error::ReportError;
use crate::files::key;
use crate::findings::Findings;
use crate::number::{hits, integer};
use crate::rate::Rate;
use crate::xml::{Xml, plain};

pub(super) const READER: Reader = Reader::Xml {
    roots: &["coverage"],
    claims,
    read,
};

fn claims(root: &Root, inside: Inside<'_>) -> bool {
    let by_attribute =
        inside == Inside::Unseen && (root.has("line-rate") || root.has("lines-valid"));
    by_attribute || inside.is("packages") || inside.is("sources")
}

fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    summary(xml, found)?;
    classes_within(xml, found)?;
    found.tool.name = xml.generator().map(str::to_owned);
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

/// Finds classes at any depth: writers agree on the class, not on what is around it.
fn classes_within(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    while xml.child()? {
        match xml.name() {
            b"class" => class(xml, found)?,
            _ => classes_within(xml, found)?,
        }
    }
    Ok(())
}

fn class(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let (mut file, mut name) = (None, None);
    xml.attributes(|attribute, value| match attribute {
        b"filename" => file = Some(value),
        b"name" => name = Some(value),
        _ => {}
    })?;
    let class = key(name);
    found.files.enter(&plain(file.or(name).unwrap_or_default()));
    while xml.child()? {
        match xml.name() {
            b"lines" => {
                while xml.child()? {
                    line(xml, found)?;
                }
            }
            b"methods" => {
                while xml.child()? {
                    method(xml, class, found)?;
                }
            }
            _ => xml.skip()?,
        }
    }
    Ok(())
}

fn line(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    let (mut number, mut line_hits, mut branches) = (None, 0, None);
    xml.attributes(|name, value| match name {
        b"number" => number = integer(value),
        b"hits" => line_hits = hits(value),
        b"condition-coverage" => branches = conditions(value),
        _ => {}
    })?;
    if let Some(number) = number {
        found.files.line(number, line_hits);
        if let Some(branches) = branches {
            found.files.branches(number, branches);
        }
    }
    xml.skip()
}

/// Reads `50% (1/2)`.
fn conditions(text: &[u8]) -> Option<Count> {
    let open = memchr::memchr(b'(', text)?;
    let inside = text[open + 1..].trim_ascii_end().strip_suffix(b")")?;
    let slash = memchr::memchr(b'/', inside)?;
    Count::new(integer(&inside[..slash])?, integer(&inside[slash + 1..])?)
}

fn method(xml: &mut Xml<'_>, class: u64, found: &mut Findings) -> Result<(), ReportError> {
    let (mut name, mut signature) = (None, None);
    xml.attributes(|attribute, value| match attribute {
        b"name" => name = Some(value),
        b"signature" => signature = Some(value),
        _ => {}
    })?;
    let method = key((class, name, signature));
    let (mut first_line, mut is_covered) = (None, false);
    while xml.child()? {
        match xml.name() {
            b"lines" => {
                while xml.child()? {
                    xml.attributes(|name, value| match name {
                        b"number" => first_line = first_line.or(integer::<u32>(value)),
                        b"hits" => is_covered |= hits(value) > 0,
                        _ => {}
                    })?;
                    xml.skip()?;
                }
            }
            _ => xml.skip()?,
        }
    }
    if first_line.is_some() {
        found.files.function(key((method, first_line)), is_covered);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
