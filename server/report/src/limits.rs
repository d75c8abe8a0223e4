//! How much a report may ask for.

/// Bounds on what one report may make the reader keep in memory.
///
/// The size of the whole input is not among them: reading is one pass in bounded memory,
/// and whoever hands over the input knows better how much of it to allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Elements open at once. Default 128; real reports stay below 20.
    pub depth: usize,
    /// Bytes, as UTF-8, of one token: a tag with all its attributes, a run of text or white space,
    /// a comment, a DOCTYPE. Default 1 MiB; C++ templates make method names of tens of KiB.
    pub token_bytes: usize,
    /// Bytes of one element name. Default 256.
    pub name_bytes: usize,
    /// Blocks of 64 line numbers of one file that are remembered to count distinct lines, 33 bytes each.
    /// Default 1,000,000: tens of millions of lines as real files have them.
    /// Over the limit, counting stops; the report is refused only if it states no total of its own.
    pub line_blocks: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: 128,
            token_bytes: 1 << 20,
            name_bytes: 256,
            line_blocks: 1_000_000,
        }
    }
}

impl Limits {
    /// Limits small enough that a test meets them with a few lines of XML.
    #[must_use]
    pub fn for_testing() -> Self {
        Self {
            depth: 16,
            token_bytes: 1024,
            name_bytes: 64,
            line_blocks: 64,
        }
    }
}
