//! How much one report's lines may take.

/// Limits of what is encoded, decoded and united. What can be encoded can be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Coverable lines. Each takes 8 bytes of memory, and more if it is partial.
    pub lines: usize,
    /// Bytes of the encoding before it is compressed. A source file takes a byte for every four lines up to its last coverable
    /// line, and its path.
    pub unpacked_bytes: usize,
}

impl Default for Limits {
    /// Four million lines, 64 MiB.
    fn default() -> Self {
        Self {
            lines: 4_000_000,
            unpacked_bytes: 64 << 20,
        }
    }
}

impl Limits {
    /// Limits that a test can reach with a few files.
    #[must_use]
    pub fn for_testing() -> Self {
        Self {
            lines: 1000,
            unpacked_bytes: 4096,
        }
    }
}
