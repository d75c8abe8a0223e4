//! Cobertura: `coverage > packages > package > classes > class > lines > line`.
//!
//! The root states `lines-covered` and `lines-valid`, older writers only a `line-rate`.
//! Counted are the lines directly in a class: those of its methods repeat them, or are not among the tool's lines.

use std::io::BufRead;

use crate::error::ReportError;
use crate::findings::{Findings, stated};
use crate::lines::{FileKey, Lines};
use crate::number::{integer, is_positive};
use crate::rate::Rate;
use crate::xml::Xml;

/// Reads from the root's tag to its end.
pub(crate) fn read<R: BufRead>(xml: &mut Xml<R>) -> Result<Findings, ReportError> {
    let root = Root::read(xml)?;
    let mut lines = Lines::new(xml.limits().line_blocks);
    classes_within(xml, &mut lines)?;

    let mut findings = Findings::of_lines(lines.count());
    findings.rate = root.line_rate;
    findings.stated = stated(root.lines_covered, root.lines_valid, &mut findings.warnings);
    findings.branches = stated(
        root.branches_covered,
        root.branches_valid,
        &mut findings.warnings,
    );
    Ok(findings)
}

#[derive(Default)]
struct Root {
    line_rate: Option<Rate>,
    lines_covered: Option<u64>,
    lines_valid: Option<u64>,
    branches_covered: Option<u64>,
    branches_valid: Option<u64>,
}

impl Root {
    fn read<R: BufRead>(xml: &mut Xml<R>) -> Result<Self, ReportError> {
        let mut root = Self::default();
        xml.root_attributes(|name, value| match name {
            b"line-rate" => root.line_rate = Rate::parse(value),
            b"lines-covered" => root.lines_covered = integer(value),
            b"lines-valid" => root.lines_valid = integer(value),
            b"branches-covered" => root.branches_covered = integer(value),
            b"branches-valid" => root.branches_valid = integer(value),
            _ => {}
        })?;
        Ok(root)
    }
}

/// Finds classes at any depth: writers agree on the class, not on what is around it.
fn classes_within<R: BufRead>(xml: &mut Xml<R>, lines: &mut Lines) -> Result<(), ReportError> {
    while xml.child()? {
        match xml.name() {
            b"class" => class(xml, lines)?,
            _ => classes_within(xml, lines)?,
        }
    }
    Ok(())
}

fn class<R: BufRead>(xml: &mut Xml<R>, lines: &mut Lines) -> Result<(), ReportError> {
    let (mut by_file, mut by_name) = (None, FileKey::NONE);
    xml.attributes(|name, value| match name {
        b"filename" => by_file = Some(FileKey::NONE.within(value)),
        b"name" => by_name = FileKey::NONE.within(value),
        _ => {}
    })?;
    lines.file(by_file.unwrap_or(by_name));
    while xml.child()? {
        match xml.name() {
            b"lines" => class_lines(xml, lines)?,
            _ => xml.skip()?,
        }
    }
    Ok(())
}

fn class_lines<R: BufRead>(xml: &mut Xml<R>, lines: &mut Lines) -> Result<(), ReportError> {
    while xml.child()? {
        if xml.name() == b"line" {
            let (mut number, mut reached) = (None, false);
            xml.attributes(|name, value| match name {
                b"number" => number = integer(value),
                b"hits" => reached = is_positive(value),
                _ => {}
            })?;
            if let Some(number) = number {
                lines.add(number, reached);
            }
        }
        xml.skip()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
