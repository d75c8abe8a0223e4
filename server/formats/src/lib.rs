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
pub use formats::{PhpunitTests, TestedFile, TestedFiles};
pub use limits::Limits;
pub use rate::Rate;
pub use report::{
    BranchName, Coverage, FileCoverage, LineHits, NamedBranch, PartialLine, Report, TestedLine,
    Tool,
};
pub use warning::Warning;

/// Reads the totals and files of one coverage file in one pass.
///
/// The format is recognised by content, never by name. `input` is read in pieces of 32 KiB and needs no buffer.
///
/// # Errors
///
/// When the input is not a known coverage file, is malformed or ends too early,
/// exceeds `limits`, or cannot be read. An incomplete file is refused,
/// even if its totals were complete.
pub fn read(mut input: impl Read, limits: &Limits) -> Result<Report, ReportError> {
    formats::read(&mut input, limits, false)
}

/// Reads one coverage file like [`read`], including the hits of every line, and the branches of lines if the file states them.
///
/// This data uses 16 bytes of [`Limits::memory_bytes`] per line, and 12 for each line with branches and for each named branch.
pub fn read_with_lines(mut input: impl Read, limits: &Limits) -> Result<Report, ReportError> {
    formats::read(&mut input, limits, true)
}
