//! JaCoCo: `report > group* > package > sourcefile > line`, with counters at every level.
//!
//! The counter of the whole is a child of the root, near the end of the file. The first counter in a file is
//! that of a method; counters of methods and classes overlap and are never added up for lines.

use std::io::BufRead;

use crate::count::{Count, Counter};
use crate::error::ReportError;
use crate::findings::Findings;
use crate::lines::{FileKey, Lines};
use crate::number::integer;
use crate::xml::Xml;

/// Reads from the root's tag to its end.
pub(crate) fn read<R: BufRead>(xml: &mut Xml<R>) -> Result<Findings, ReportError> {
    let mut body = Body {
        files: Counters::default(),
        classes: Counters::default(),
        lines: Lines::new(xml.limits().line_blocks),
    };
    let mut whole = Counters::default();
    while xml.child()? {
        match xml.name() {
            b"counter" => whole.add(xml)?,
            _ => body.part(xml, FileKey::NONE)?,
        }
    }
    Ok(body.findings(&whole))
}

/// What the parts of a report add up to, in case the whole is not stated.
struct Body {
    files: Counters,
    classes: Counters,
    lines: Lines,
}

impl Body {
    /// Reads a group, a package, or something in one; `parent` tells apart packages of different groups.
    fn part<R: BufRead>(&mut self, xml: &mut Xml<R>, parent: FileKey) -> Result<(), ReportError> {
        match xml.name() {
            b"group" | b"package" => {
                let part = named(xml, parent)?;
                while xml.child()? {
                    self.part(xml, part)?;
                }
                Ok(())
            }
            b"sourcefile" => self.source_file(xml, parent),
            b"class" => self.class(xml),
            _ => xml.skip(),
        }
    }

    fn class<R: BufRead>(&mut self, xml: &mut Xml<R>) -> Result<(), ReportError> {
        while xml.child()? {
            match xml.name() {
                b"counter" => self.classes.add(xml)?,
                _ => xml.skip()?,
            }
        }
        Ok(())
    }

    fn source_file<R: BufRead>(
        &mut self,
        xml: &mut Xml<R>,
        package: FileKey,
    ) -> Result<(), ReportError> {
        let file = named(xml, package)?;
        self.lines.file(file);
        while xml.child()? {
            match xml.name() {
                b"line" => self.line(xml)?,
                b"counter" => self.files.add(xml)?,
                _ => xml.skip()?,
            }
        }
        Ok(())
    }

    /// gcovr writes lines without instructions, which say nothing about being reached: those do not count.
    fn line<R: BufRead>(&mut self, xml: &mut Xml<R>) -> Result<(), ReportError> {
        let (mut number, mut covered) = (None, None);
        xml.attributes(|name, value| match name {
            b"nr" => number = integer(value),
            b"ci" => covered = integer::<u64>(value),
            _ => {}
        })?;
        if let (Some(number @ 1..), Some(covered)) = (number, covered) {
            self.lines.add(number, covered > 0);
        }
        xml.skip()
    }

    fn findings(self, whole: &Counters) -> Findings {
        let mut findings = Findings::of_lines(self.lines.count());
        findings.branches = whole.branch.or(self.files.branch);
        findings.functions = whole.method.or(self.classes.method);
        findings.stated = whole.line.or(self.files.line);
        let has_lines = findings.stated.is_some() || findings.counted != Some(Count::ZERO);
        if let (false, Some(instructions)) =
            (has_lines, whole.instruction.or(self.classes.instruction))
        {
            findings.stated = Some(instructions);
            findings.counter = Counter::Instruction;
        }
        findings
    }
}

/// Counters by their type, those with nothing to cover left out.
#[derive(Default)]
struct Counters {
    instruction: Option<Count>,
    line: Option<Count>,
    branch: Option<Count>,
    method: Option<Count>,
}

impl Counters {
    /// Reads a `counter` and adds it to its type's.
    fn add<R: BufRead>(&mut self, xml: &mut Xml<R>) -> Result<(), ReportError> {
        let (mut sum, mut missed, mut covered): (Option<Sum>, _, _) = (None, None, None);
        xml.attributes(|name, value| match name {
            b"type" => sum = Self::of_type(value),
            b"missed" => missed = integer(value),
            b"covered" => covered = integer(value),
            _ => {}
        })?;
        if let (Some(sum), Some(missed), Some(covered)) = (sum, missed, covered) {
            let sum = sum(self);
            let more = Count::of_missed(covered, missed);
            *sum = sum.unwrap_or_default().plus(more).non_empty();
        }
        xml.skip()
    }

    fn of_type(kind: &[u8]) -> Option<Sum> {
        match kind {
            b"INSTRUCTION" => Some(|counters| &mut counters.instruction),
            b"LINE" => Some(|counters| &mut counters.line),
            b"BRANCH" => Some(|counters| &mut counters.branch),
            b"METHOD" => Some(|counters| &mut counters.method),
            _ => None,
        }
    }
}

/// Which of the counters to add to.
type Sum = fn(&mut Counters) -> &mut Option<Count>;

/// The key of the element that was gone into last, by its name.
fn named<R: BufRead>(xml: &mut Xml<R>, parent: FileKey) -> Result<FileKey, ReportError> {
    let mut key = parent.within(b"");
    xml.attributes(|name, value| {
        if name == b"name" {
            key = parent.within(value);
        }
    })?;
    Ok(key)
}

#[cfg(test)]
mod tests;
