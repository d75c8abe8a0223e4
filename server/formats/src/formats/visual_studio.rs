//! Visual Studio, in two dialects: `CoverageDSPriv`, a data set written out as XML, and `results`, which
//! `CodeCoverage.exe analyze` and `dotnet-coverage merge -f xml` write.
//!
//! The total is in lines: the stated counts of the modules are added up. Partly covered lines count as not covered, in totals and
//! in files, as in Visual Studio's own percentage. In the states of lines they are partial. If no lines are stated, the listed
//! lines are the total; without listed lines, the total is in blocks, which Visual Studio shows first.
//!
//! Lines are listed as ranges of functions. A line in ranges of two functions counts twice in the stated counts and once in
//! a file. So these counts may differ, and are not compared.
//!
//! Source: Microsoft's reports; the percentage in `line_coverage`; the ranges and counts of each function, which agree.

mod data_set;
mod results;

use super::method::{Method, is_hidden};
use crate::count::Count;
use crate::counter::Counter;
use crate::error::ReportError;
use crate::findings::Findings;
use crate::xml::Xml;

pub(super) fn read(xml: &mut Xml<'_>, found: &mut Findings) -> Result<(), ReportError> {
    found.is_comparable = false;
    match xml.root_name() {
        b"results" => results::read(xml, found)?,
        _ => data_set::read(xml, found)?,
    }
    let has_lines = found.stated.get(Counter::Line).is_some() || found.files.know(Counter::Line);
    found.total = if has_lines {
        &[Counter::Line]
    } else {
        &[Counter::Block]
    };
    Ok(())
}

/// Adds the stated counts of a module: of covered, partially covered and not covered lines, of covered and not covered blocks.
fn add_module([lines, partially, not, blocks, not_blocks]: [Option<u64>; 5], found: &mut Findings) {
    let not = not.map(|not| not.saturating_add(partially.unwrap_or(0)));
    for (counter, covered, missed) in [
        (Counter::Line, lines, not),
        (Counter::Block, blocks, not_blocks),
    ] {
        let count = covered.zip(missed);
        found.stated.add(
            counter,
            count.map(|(covered, missed)| Count::of_missed(covered, missed)),
        );
    }
}

/// Lines of a function, from the first to the last.
#[derive(Default)]
struct Span {
    file: Option<u64>,
    first: Option<u32>,
    last: Option<u32>,
    /// The whole span ran.
    is_covered: bool,
    /// A part of the span ran.
    is_reached: bool,
}

/// The most lines of one range. Hardly any statement is longer, but a range can state four billion lines, and a report can have a
/// million such ranges.
const LONGEST: u32 = 1_000;

impl Span {
    fn add_to(&self, function: &mut Method, found: &mut Findings) {
        let Some(first) = self.first.filter(|&line| !is_hidden(line)) else {
            return;
        };
        let longest = first.saturating_add(LONGEST - 1);
        let last = self.last.unwrap_or(first).clamp(first, longest);
        found.files.enter_id(self.file);
        for line in first..=last {
            found.files.line(line, u64::from(self.is_covered));
            if self.is_reached && !self.is_covered {
                found.files.partly(line);
            }
        }
        function.add(&found.files, Some(first), self.is_reached);
    }
}

#[cfg(test)]
mod tests;
