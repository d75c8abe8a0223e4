#![doc = include_str!("../README.md")]

mod count;
mod counter;
mod error;
mod files;
mod findings;
mod format;
mod formats;
mod input;
mod json;
mod limits;
mod number;
mod paths;
mod rate;
mod report;
mod text;
mod warning;
mod xml;

pub mod guide {
    #![doc = include_str!("../FORMATS.md")]
}

use std::io::Read;

pub use count::Count;
pub use counter::{Counter, Counters};
pub use error::{ErrorKind, Position, ReportError};
pub use format::Format;
pub use limits::Limits;
pub use rate::Rate;
pub use report::{Coverage, FileCoverage, LineHits, Report, Tool};
pub use warning::Warning;

/// Reads one coverage report to its totals and files, in one pass.
///
/// The format is recognised by content, never by a name. `input` is read in pieces of 32 KiB and needs no buffer.
///
/// # Errors
///
/// When the input is no coverage report this crate knows, is not well-formed or ends too early,
/// asks for more than `limits` allow, or cannot be read. A report that is cut off is refused,
/// also when its totals were read before the cut.
pub fn read(mut input: impl Read, limits: &Limits) -> Result<Report, ReportError> {
    formats::read(&mut input, limits, false)
}

/// Reads one coverage report like [`read`], and the hits of every line as well.
///
/// These cost 16 bytes a line within [`Limits::memory_bytes`].
///
/// # Errors
///
/// As [`read`].
pub fn read_with_lines(mut input: impl Read, limits: &Limits) -> Result<Report, ReportError> {
    formats::read(&mut input, limits, true)
}
