//! The limits for reading a coverage file.

/// Limits on the memory that one coverage file may use.
///
/// The size of the input is not limited here: reading takes one pass in bounded memory,
/// and the caller can limit its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Elements, objects or arrays open at once. Default 128; real reports stay below 20.
    pub depth: usize,
    /// Bytes, as UTF-8, of one token: a tag with all its attributes, a comment, a DOCTYPE, the text of an element,
    /// a string, a line. Default 1 MiB; C++ templates make method names of tens of KiB.
    pub token_bytes: usize,
    /// Bytes of one element name. Default 256.
    pub name_bytes: usize,
    /// Bytes kept about files: 384 for each and twice its path, 24 for every 64 line numbers that have code, for each
    /// line with branches and for each function, 32 for each block of statements, 48 for each number of a file, 16 for each
    /// line whose hits are requested, and then 12 for each line with branches and for each named branch, and about 140 for each
    /// file with lines; 8 for each pair of a line and a test that ran it, and 160 for each test and twice its name, all including
    /// spare capacity.
    /// Measurements of the process differ from this by at most a quarter.
    /// Default 48 MiB: fifteen thousand files of three hundred lines with branches and functions.
    /// Above the limit, first the tests are dropped, then the lines, then the files. The report is refused only if it states no total.
    pub memory_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 128,
            token_bytes: 1 << 20,
            name_bytes: 256,
            memory_bytes: 48 << 20,
        }
    }
}

impl Limits {
    /// Limits that a test can reach with a few lines of XML.
    pub fn for_testing() -> Self {
        Self {
            depth: 16,
            token_bytes: 1024,
            name_bytes: 64,
            memory_bytes: 4096,
        }
    }
}
