//! Lines as bytes, for storage.
//!
//! Version 2 is the four bytes `CVL` and 2, the CRC-32 (IEEE 802.3, little endian) of the rest, and the rest: a zstd frame (RFC 8878) of
//! four columns. Numbers are LEB128 without sign.
//!
//! 1. Paths: their number, then for each in ascending order the bytes that it shares with the one before, the number of other
//!    bytes, and these.
//! 2. States: for each file its last coverable line, then two bits for each line up to it, the first line in the lowest bits:
//!    0 not coverable, 1 missed, 2 partial, 3 hit.
//! 3. Hits: a byte for each line that ran, 1 to 255.
//! 4. Branches: for each partial line its number of branches, 0 if unknown; then how many were taken, a bit for each scheme by which
//!    only missed ones have names (65535 if the names were too many), the missed ones and the taken ones: the number of names and the
//!    names, each as the difference from the one before.
//!
//! Version 1, which is read but no longer written, has only the names of missed branches, and no bits of schemes.
//!
//! The same lines have the same bytes before they are compressed.

mod decode;
mod encode;
pub(crate) mod frame;
pub(crate) mod front;
pub(crate) mod number;

use crate::limits::TooLarge;

/// What a blob begins with.
const HEAD: frame::Head = *b"CVL\x02";

/// What a blob of version 1 begins with.
const HEAD_1: frame::Head = *b"CVL\x01";

/// Why bytes are not lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// A newer release wrote them, or they are something else.
    #[error("these are no lines of a version that this release reads")]
    Unknown,
    /// They differ from what was written.
    #[error("the lines are damaged")]
    Damaged,
    /// They exceed the limits.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}
