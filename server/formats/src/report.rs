//! The result of reading a coverage file: total, counters, files and warnings.

use crate::count::Count;
use crate::counter::{Counter, Counters};
use crate::format::Format;
use crate::rate::Rate;
use crate::warning::Warning;
use std::collections::BTreeMap;

/// The content of a coverage file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The format of the file.
    pub format: Format,
    /// The tool that wrote the file, if it is stated.
    pub tool: Tool,
    /// The line coverage of the whole report.
    pub total: Coverage,
    /// All counts of the whole: as stated, else the sums of the files.
    pub counters: Counters,
    /// The files, in the order of their first occurrence. Empty if there are none,
    /// or if they need more than [`Limits::memory_bytes`](crate::Limits::memory_bytes).
    pub files: Vec<FileCoverage>,
    /// The possible folders of relative paths, as the report states them: `sources` of Cobertura. At most 100.
    pub sources: Vec<String>,
    /// The folders at the start of paths that are names of groups: `group` of JaCoCo. Each counts as a separate coverage file,
    /// whose name is the last component of the folder. At most 1,000.
    pub groups: Vec<String>,
    /// The project that the report states: the name of JaCoCo's `report` or of Clover's `project`. At most 255 bytes.
    pub project: Option<String>,
    /// Inconsistencies that do not make the coverage file unusable.
    pub warnings: Vec<Warning>,
    /// The names of the tests that [`FileCoverage::tests`] numbers: at most 50,000, each of at most 512 bytes. Longer ones are cut
    /// and end with a number that distinguishes them. Empty if the report does not say which tests ran its lines. A test without a
    /// name has an empty one.
    pub tests: Vec<String>,
}

impl Report {
    /// Splits the report into one for each group of its files. The counts of each are the sums of its files, and its total is in lines.
    /// Warnings are of the whole, so each has all of them.
    #[must_use]
    pub fn split<K: Ord>(mut self, group_of: impl Fn(&FileCoverage) -> K) -> BTreeMap<K, Self> {
        let mut groups: BTreeMap<K, Vec<FileCoverage>> = BTreeMap::new();
        for file in std::mem::take(&mut self.files) {
            groups.entry(group_of(&file)).or_default().push(file);
        }
        let of_files = |files: Vec<FileCoverage>| {
            let mut counters = Counters::default();
            let counts = files.iter().flat_map(|file| file.counters.iter());
            counts.for_each(|(counter, count)| counters.add(counter, count));
            let lines = counters.get(Counter::Line);
            Self {
                total: lines.map_or(Coverage::Empty { rate: None }, |lines| {
                    Coverage::Counts(lines, Counter::Line)
                }),
                counters,
                files,
                ..self.clone()
            }
        };
        let groups = groups.into_iter();
        groups.map(|(key, files)| (key, of_files(files))).collect()
    }
}

/// The tool that wrote a coverage file, as stated there. At most 60 characters of each text are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tool {
    /// The tool's name, if stated. Most formats do not state it.
    pub name: Option<String>,
    /// The version, if stated: of the tool or of the format, which some formats do not distinguish.
    pub version: Option<String>,
}

/// The line coverage of a whole report.
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
    /// Returns hundredths of a percent, 0 to 10000, rounded like [`Count::basis_points`]. If there is nothing to cover, returns
    /// the stated rate, otherwise 0.
    pub fn basis_points(self) -> u16 {
        match self {
            Self::Counts(count, _) => count.basis_points(),
            Self::Rate(rate) => rate.basis_points(),
            Self::Empty { rate } => rate.map_or(0, Rate::basis_points),
        }
    }
}

/// The coverage of one source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCoverage {
    /// The path as in the report, with resolved character references: relative or absolute, with `/` or `\`. Empty if the report
    /// does not name the file.
    pub path: String,
    /// The counts of the file. Listed lines take precedence over a stated number of lines,
    /// so that the lines of a repeated file count once.
    pub counters: Counters,
    /// Hits by line, in ascending order of lines, each line once with its highest number of hits.
    /// Only [`read_with_lines`](crate::read_with_lines) fills it.
    pub lines: Vec<LineHits>,
    /// The lines that ran without all their branches, in ascending order, if the report states branches by line. Only
    /// [`read_with_lines`](crate::read_with_lines) fills it.
    pub partial: Vec<PartialLine>,
    /// All branches, in ascending order of lines and names. Empty if the report does not name all branches that it counts. Only
    /// [`read_with_lines`](crate::read_with_lines) fills it.
    pub branches: Vec<NamedBranch>,
    /// Which tests ran which lines, in the order of the report, also lines that do not count. Only
    /// [`read_with_lines`](crate::read_with_lines) fills it.
    pub tests: Vec<TestedLine>,
}

/// A line that a test ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestedLine {
    /// The line, from 1.
    pub line: u32,
    /// The place of the test in [`Report::tests`].
    pub test: u32,
}

/// A branch of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedBranch {
    /// The line.
    pub line: u32,
    /// The name.
    pub name: BranchName,
    /// Whether the branch was taken.
    pub is_taken: bool,
}

/// How often a line ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineHits {
    /// The line, from 1.
    pub line: u32,
    /// The number of hits. 1 if the format only states that the line ran. A number that does not fit becomes the greatest
    /// possible number.
    pub hits: u64,
}

/// A line that ran without all its branches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartialLine {
    /// The line, from 1.
    pub line: u32,
    /// The number of taken branches.
    pub taken: u32,
    /// The number of branches. 0 if the report only states that some were missed.
    pub total: u32,
    /// The names of the missed branches in ascending order. Empty if the report does not name them.
    pub missed: Vec<BranchName>,
    /// The names of the taken branches in ascending order. Empty if the report names only missed branches, or none.
    pub reached: Vec<BranchName>,
}

/// The name of a branch of a line: a number that means the same branch in all reports of a tool about the same code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchName(u32);

/// How reports name branches. Names of different schemes are not comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// The numbers of a block or condition and of its branch: LCOV and istanbul.
    Numbers = 0,
    /// Texts in place of numbers: LCOV.
    Texts = 1,
    /// The line to which the branch leads: coverage.py.
    Destination = 2,
    /// The position of the condition, and whether it was true: LLVM.
    Outcome = 3,
    /// The position in the compiled code: OpenCover.
    Offset = 4,
    /// The description of the condition and of the branch: SimpleCov.
    Description = 5,
}

impl BranchName {
    /// Creates a name from a number. Large numbers may share a name.
    pub(crate) fn new(scheme: Scheme, number: u32) -> Self {
        Self(number << Self::SCHEME_BITS | scheme as u32)
    }

    /// Creates a name from the bytes of a text. Two texts share a name with a probability of 1 in 268 million.
    pub(crate) fn of_text<'t>(scheme: Scheme, text: impl IntoIterator<Item = &'t u8>) -> Self {
        // FNV-1a: the same in all releases, because names are stored.
        let hash = text.into_iter().fold(0x811c_9dc5_u32, |hash, &byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        Self::new(scheme, hash ^ hash >> 28)
    }

    /// The number of bits at the low end of a name that hold its scheme.
    pub const SCHEME_BITS: u32 = 4;

    /// The number. Names with different [lowest bits](Self::SCHEME_BITS) are not comparable.
    pub fn number(self) -> u32 {
        self.0
    }
}

#[cfg(test)]
mod tests;
