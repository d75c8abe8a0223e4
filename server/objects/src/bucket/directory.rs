//! The directory at the end of an object. The last bytes of the object are fetched once and cached; the rest of a large directory
//! is fetched in pieces.

use super::{StorageError, StoredObject};
use bytes::Bytes;
use rawzip::ReaderAt;
use std::{cell::RefCell, io, ops::Range};

/// The number of bytes fetched from the end at once: the whole directory of some 2,000 files.
const TAIL_BYTES: u64 = 256 << 10;

/// The size of the pieces of a larger directory, in bytes.
const PIECE_BYTES: u64 = 1 << 20;

/// The fewest bytes of the end to keep, because the search for the directory starts there.
const END_BYTES: u64 = 4 << 10;

/// The end of an object.
#[derive(Clone, Debug)]
pub(crate) struct Directory {
    tail: Bytes,
    tail_start: u64,
}

impl Directory {
    /// Fetches the last bytes. Blocks.
    pub(crate) fn fetch(object: &StoredObject) -> Result<Self, StorageError> {
        let tail_start = object.size.saturating_sub(TAIL_BYTES);
        Ok(Self {
            tail: object.fetch(tail_start..object.size)?,
            tail_start,
        })
    }

    /// Drops the bytes before the start of the directory.
    pub(crate) fn trim(&mut self, directory_start: u64, size: u64) {
        let start = directory_start
            .min(size.saturating_sub(END_BYTES))
            .max(self.tail_start);
        let unneeded = usize::try_from(start - self.tail_start).unwrap_or(usize::MAX);
        if let Some(needed) = self.tail.get(unneeded..) {
            // A slice would keep all bytes in memory.
            self.tail = Bytes::copy_from_slice(needed);
            self.tail_start = start;
        }
    }

    /// Returns the memory in use, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.tail.len()
    }

    /// Returns a reader of the directory and of the bytes before it.
    pub(crate) fn reader<'a>(&'a self, object: &'a StoredObject) -> DirectoryReader<'a> {
        DirectoryReader {
            directory: self,
            object,
            piece: RefCell::default(),
        }
    }
}

/// Reads at any position; sequential reads are the fastest.
pub(crate) struct DirectoryReader<'a> {
    directory: &'a Directory,
    object: &'a StoredObject,
    /// The position and the bytes of the latest piece.
    piece: RefCell<(u64, Bytes)>,
}

impl ReaderAt for DirectoryReader<'_> {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        let Directory { tail, tail_start } = self.directory;
        if let Some(bytes) = from(tail, *tail_start, at) {
            return Ok(copy(bytes, buffer));
        }
        if at >= self.object.size {
            return Ok(0);
        }
        let mut piece = self.piece.borrow_mut();
        if from(&piece.1, piece.0, at).is_none() {
            let range: Range<u64> = at..at.saturating_add(PIECE_BYTES).min(*tail_start);
            *piece = (at, self.object.fetch(range)?);
        }
        Ok(from(&piece.1, piece.0, at).map_or(0, |bytes| copy(bytes, buffer)))
    }
}

/// Returns the bytes from position `at` on, if there are any. `bytes` starts at position `start`.
fn from(bytes: &Bytes, start: u64, at: u64) -> Option<&[u8]> {
    let skipped = usize::try_from(at.checked_sub(start)?).ok()?;
    bytes.get(skipped..).filter(|bytes| !bytes.is_empty())
}

fn copy(bytes: &[u8], buffer: &mut [u8]) -> usize {
    let length = bytes.len().min(buffer.len());
    buffer[..length].copy_from_slice(&bytes[..length]);
    length
}
