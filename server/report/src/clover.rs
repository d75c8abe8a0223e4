//! Clover: `coverage > project > package* > file > line`, with metrics at every level.
//!
//! The metrics of the whole are a child of the project: its first in Clover's own reports, its last in PHPUnit's.
//! `testproject` holds the coverage of the tests themselves and does not count.

use std::io::BufRead;

use crate::count::{Count, Counter};
use crate::error::ReportError;
use crate::findings::{Findings, Warning, stated};
use crate::lines::{FileKey, Lines};
use crate::number::{integer, is_positive};
use crate::xml::Xml;

/// Reads from the root's tag to its end.
pub(crate) fn read<R: BufRead>(xml: &mut Xml<R>) -> Result<Findings, ReportError> {
    let mut body = Body {
        files: Metrics::default(),
        lines: Lines::new(xml.limits().line_blocks),
    };
    let mut whole = Metrics::default();
    while xml.child()? {
        if xml.name() != b"project" {
            xml.skip()?;
            continue;
        }
        while xml.child()? {
            match xml.name() {
                b"metrics" => whole.add(xml)?,
                _ => body.part(xml)?,
            }
        }
    }
    Ok(body.findings(whole))
}

/// What the parts of a project add up to, in case its metrics are missing.
struct Body {
    files: Metrics,
    lines: Lines,
}

impl Body {
    fn part<R: BufRead>(&mut self, xml: &mut Xml<R>) -> Result<(), ReportError> {
        match xml.name() {
            b"package" => {
                while xml.child()? {
                    self.part(xml)?;
                }
                Ok(())
            }
            b"file" => self.file(xml),
            _ => xml.skip(),
        }
    }

    fn file<R: BufRead>(&mut self, xml: &mut Xml<R>) -> Result<(), ReportError> {
        let (mut by_path, mut by_name) = (None, FileKey::NONE);
        xml.attributes(|name, value| match name {
            b"path" => by_path = Some(FileKey::NONE.within(value)),
            b"name" => by_name = FileKey::NONE.within(value),
            _ => {}
        })?;
        self.lines.file(by_path.unwrap_or(by_name));
        while xml.child()? {
            match xml.name() {
                b"metrics" => self.files.add(xml)?,
                b"line" => self.line(xml)?,
                _ => xml.skip()?,
            }
        }
        Ok(())
    }

    /// A condition is a line as well; a method is not. What a condition's `truecount` and `falsecount` mean
    /// differs between tools, so they only speak where `count` is absent.
    fn line<R: BufRead>(&mut self, xml: &mut Xml<R>) -> Result<(), ReportError> {
        let (mut number, mut is_line, mut count, mut either_way) = (None, false, None, false);
        xml.attributes(|name, value| match name {
            b"num" => number = integer(value),
            b"type" => is_line = matches!(value, b"stmt" | b"cond"),
            b"count" => count = Some(is_positive(value)),
            b"truecount" | b"falsecount" => either_way |= is_positive(value),
            _ => {}
        })?;
        if let (Some(number), true) = (number, is_line) {
            self.lines.add(number, count.unwrap_or(either_way));
        }
        xml.skip()
    }

    fn findings(mut self, mut whole: Metrics) -> Findings {
        let mut findings = Findings::of_lines(self.lines.count());
        findings.warnings.append(&mut whole.warnings);
        let total = whole.total().or_else(|| {
            findings.warnings.append(&mut self.files.warnings);
            self.files.total()
        });
        if let Some((count, counter)) = total {
            findings.stated = Some(count);
            findings.counter = counter;
        }
        findings.branches = whole.conditionals.or(self.files.conditionals);
        findings.functions = whole.methods.or(self.files.methods);
        findings
    }
}

/// The sum of some `metrics` elements; `None` for what none of them states.
#[derive(Default)]
struct Metrics {
    statements: Option<Count>,
    elements: Option<Count>,
    conditionals: Option<Count>,
    methods: Option<Count>,
    warnings: Vec<Warning>,
}

impl Metrics {
    /// Statements, or elements where statements are not stated at all; `None` if there are none.
    fn total(&self) -> Option<(Count, Counter)> {
        let (count, counter) = match self.statements {
            Some(statements) => (statements, Counter::Statement),
            None => (self.elements?, Counter::Element),
        };
        Some((count.non_empty()?, counter))
    }

    fn add<R: BufRead>(&mut self, xml: &mut Xml<R>) -> Result<(), ReportError> {
        let mut statements = Pair::default();
        let mut elements = Pair::default();
        let mut conditionals = Pair::default();
        let mut methods = Pair::default();
        xml.attributes(|name, value| match name {
            b"statements" => statements.total = integer(value),
            b"coveredstatements" => statements.covered = integer(value),
            b"elements" => elements.total = integer(value),
            b"coveredelements" => elements.covered = integer(value),
            b"conditionals" => conditionals.total = integer(value),
            b"coveredconditionals" => conditionals.covered = integer(value),
            b"methods" => methods.total = integer(value),
            b"coveredmethods" => methods.covered = integer(value),
            _ => {}
        })?;
        for (pair, sum) in [
            (statements, &mut self.statements),
            (elements, &mut self.elements),
            (conditionals, &mut self.conditionals),
            (methods, &mut self.methods),
        ] {
            if let Some(count) = stated(pair.covered, pair.total, &mut self.warnings) {
                *sum = Some(sum.unwrap_or_default().plus(count));
            }
        }
        xml.skip()
    }
}

#[derive(Default)]
struct Pair {
    covered: Option<u64>,
    total: Option<u64>,
}

#[cfg(test)]
mod tests;
