//! The result of reading a coverage file: total, counters, files and warnings.

use crate::count::Count;
use crate::counter::{Counter, Counters};
use crate::format::Format;
use crate::rate::Rate;
use crate::warning::Warning;

/// The content of a coverage file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// Its format.
    pub format: Format,
    /// The tool that wrote it, as far as stated.
    pub tool: Tool,
    /// The line coverage of everything in it.
    pub total: Coverage,
    /// All counts of the whole: as stated, else the sums of its files.
    pub counters: Counters,
    /// The files, in the order of their first occurrence. Empty if there are none,
    /// or if they need more than [`Limits::memory_bytes`](crate::Limits::memory_bytes).
    pub files: Vec<FileCoverage>,
    /// Inconsistencies that do not make the coverage file unusable.
    pub warnings: Vec<Warning>,
}

/// The tool that wrote a coverage file, as stated there. At most 60 characters of each text are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tool {
    /// The tool's name, if stated. Most formats do not state it.
    pub name: Option<String>,
    /// The version, if stated: of the tool or of the format, which some formats do not distinguish.
    pub version: Option<String>,
}

/// The line coverage of everything in a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// Counts of at least one line, or of another counter if there are no lines.
    Counts(Count, Counter),
    /// A rate without counts.
    Rate(Rate),
    /// Nothing to cover, with the stated rate, if it is a number.
    Empty {
        /// Tools state 1, 0 or `NaN` for 0 of 0.
        rate: Option<Rate>,
    },
}

impl Coverage {
    /// Returns hundredths of a percent, 0 to 10000, rounded like [`Count::basis_points`].
    /// With nothing to cover it returns the stated rate, otherwise 0.
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
    /// The counts of the file. Listed lines take precedence over a stated number of lines,
    /// so that the lines of a repeated file count once.
    pub counters: Counters,
    /// Hits by line, in ascending order of lines, each line once with its highest number of hits.
    /// Only [`read_with_lines`](crate::read_with_lines) fills it.
    pub lines: Vec<LineHits>,
}

/// How often a line ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineHits {
    /// The line, from 1.
    pub line: u32,
    /// The number of hits; 1 if the format only states that the line ran. A number that does not fit is the largest possible one.
    pub hits: u64,
}
