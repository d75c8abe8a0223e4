//! Encodes lines as bytes, for storage.
//!
//! Version 2 is the four bytes `CVL` and 2, the CRC-32 (IEEE 802.3, little endian) of the rest, and the rest: a zstd frame (RFC
//! 8878) of four columns. Numbers are unsigned LEB128.
//!
//! 1. Paths: their number, then for each path in ascending order the number of bytes that it shares with the previous path, the
//!    number of other bytes, and these bytes.
//! 2. States: for each file its last coverable line, then two bits for each line up to it, the first line in the lowest bits:
//!    0 not coverable, 1 missed, 2 partial, 3 hit.
//! 3. Hits: a byte for each line that ran, 1 to 255.
//! 4. Branches: for each partial line its number of branches, 0 if unknown; then the number of taken branches, and a bit for each
//!    scheme by which only missed branches have names (65535 for too many names); then twice the number of names and the names,
//!    first of missed, then of taken branches, each name as the difference from the previous one.
//!
//! Version 1, which is read but no longer written, has only the names of missed branches, and no bits of schemes.
//!
//! Equal lines have equal bytes before compression.

mod decode;
mod encode;
pub(crate) mod frame;
pub(crate) mod number;
pub(crate) mod paths;

use crate::limits::TooLarge;

const HEAD: frame::Head = *b"CVL\x02";

/// The first bytes of a blob of version 1.
const HEAD_1: frame::Head = *b"CVL\x01";

/// Why bytes cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// A newer release encoded the bytes, or they are not lines.
    #[error("these are no lines of a version that this release reads")]
    Unknown,
    /// The bytes differ from the encoded ones.
    #[error("the lines are damaged")]
    Damaged,
    /// The lines exceed the limits.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}
