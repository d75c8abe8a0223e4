//! Ranges of lines.

/// Lines that follow one another: the first one and the last one.
pub type LineRange = (u32, u32);
