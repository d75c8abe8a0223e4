//! What reading a report gives: its total, its counters, its files, and what was odd about it.

use crate::count::Count;
use crate::counter::{Counter, Counters};
use crate::format::Format;
use crate::rate::Rate;
use crate::warning::Warning;

/// A coverage report, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What it was written as.
    pub format: Format,
    /// Which tool wrote it, as far as the report says so.
    pub tool: Tool,
    /// The line coverage of everything in it.
    pub total: Coverage,
    /// Everything counted, of the whole: what the report states, else what its files add up to.
    pub counters: Counters,
    /// The files, in the order in which the report first names them. Empty if the format or the report has none,
    /// or if they were more than [`Limits::memory_bytes`](crate::Limits::memory_bytes) holds.
    pub files: Vec<FileCoverage>,
    /// What does not add up, yet is no reason to refuse the report.
    pub warnings: Vec<Warning>,
}

/// The tool that wrote a report, in the report's words, of which at most 60 characters are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tool {
    /// The tool's name, where the report states it. Most formats do not.
    pub name: Option<String>,
    /// A version, where the report states one: of the tool or of the format, which are not told apart in all formats.
    pub version: Option<String>,
}

/// The line coverage of everything in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// Counts of at least one line, or of what stands for lines in a report that has none.
    Counts(Count, Counter),
    /// A rate without counts.
    Rate(Rate),
    /// Nothing to cover, with the rate that the report states all the same, if it is a number.
    Empty {
        /// Tools differ: 1, 0, and not a number are all in use for 0 of 0.
        rate: Option<Rate>,
    },
}

impl Coverage {
    /// Hundredths of a percent, 0 to 10000, rounded as [`Count::basis_points`] says.
    /// Nothing to cover reads what the report states for it, otherwise 0.
    #[must_use]
    pub fn basis_points(self) -> u16 {
        match self {
            Self::Counts(count, _) => count.basis_points(),
            Self::Rate(rate) => rate.basis_points(),
            Self::Empty { rate } => rate.map_or(0, Rate::basis_points),
        }
    }
}

/// The coverage of one file of source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCoverage {
    /// The path as the report writes it, character references resolved: relative or absolute, with `/` or `\`.
    /// Empty if the report does not name the file.
    pub path: String,
    /// What is known of the file. Distinct lines that the report lists come before those it only states to be there,
    /// so that lines of a file that comes twice count once.
    pub counters: Counters,
    /// Hits by line, in ascending order of lines, each line once with its highest number of hits.
    /// Only [`read_with_lines`](crate::read_with_lines) fills it.
    pub lines: Vec<LineHits>,
}

/// How often a line was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineHits {
    /// The line, from 1.
    pub line: u32,
    /// How often; 1 where a format only says that it was. Numbers too large to hold are the largest that does.
    pub hits: u64,
}
