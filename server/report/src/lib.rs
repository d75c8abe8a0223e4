#![doc = include_str!("../README.md")]

mod clover;
mod cobertura;
mod count;
mod error;
mod findings;
mod format;
mod jacoco;
mod limits;
mod lines;
mod number;
mod rate;
mod xml;

use std::io::BufRead;

pub use count::{Count, Counter, Coverage};
pub use error::{ErrorKind, ReportError};
pub use findings::{Report, Warning};
pub use format::Format;
pub use limits::Limits;
pub use rate::Rate;

/// Reads one coverage report to its totals, in one pass.
///
/// The format is recognised by content: the root element, its attributes, its first children.
///
/// # Errors
///
/// When the input is no coverage report this crate knows, is not well-formed or ends too early,
/// asks for more than `limits` allow, or cannot be read. A report that is cut off is always refused,
/// also when its totals were read before the cut.
pub fn read(input: impl BufRead, limits: &Limits) -> Result<Report, ReportError> {
    let mut xml = xml::Xml::open(input, limits)?;
    let format = format::recognise(&mut xml)?;
    xml.set_format(format);
    let findings = match format {
        Format::Cobertura => cobertura::read(&mut xml),
        Format::Jacoco => jacoco::read(&mut xml),
        Format::Clover => clover::read(&mut xml),
    }?;
    xml.finish()?;
    findings
        .settle(format)
        .ok_or_else(|| xml.fail(ErrorKind::TooManyLines(limits.line_blocks)))
}
