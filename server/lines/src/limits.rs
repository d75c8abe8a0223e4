//! Limits on the lines of one report.

use thiserror::Error;

/// The number of lines, files or bytes of paths exceeds the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the coverage file has too many lines or files, or too long paths")]
pub struct TooLarge;

/// Limits of encoding, decoding and unions. All lines that can be encoded can be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Coverable lines. Each takes 8 bytes of memory, and 32 more if its branches are known. Also the branches of a part that names
    /// all of them, with 8 bytes each.
    pub lines: usize,
    /// Source files. Each takes about 150 bytes of memory, and its path.
    pub files: usize,
    /// Bytes of all paths. Encoded paths share their beginnings, so the size of a blob does not bound this.
    pub path_bytes: usize,
    /// Names of branches. Each takes 4 bytes of memory.
    pub branch_names: usize,
    /// Bytes of the encoding before compression. A source file takes a byte for every four lines up to its last coverable line,
    /// and its path.
    pub unpacked_bytes: usize,
}

impl Default for Limits {
    /// Four million lines, 250,000 files, 32 MiB of paths, 16 million names of branches, 64 MiB.
    fn default() -> Self {
        Self {
            lines: 4_000_000,
            files: 250_000,
            path_bytes: 32 << 20,
            branch_names: 16_000_000,
            unpacked_bytes: 64 << 20,
        }
    }
}
