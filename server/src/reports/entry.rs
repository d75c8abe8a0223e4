//! An entry of a report, and reading a part of a file that others read at the same time.

use std::{
    fs::File,
    io::{self, Read},
    os::unix::fs::FileExt,
    sync::Arc,
};

/// Where an entry's bytes are, and what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where its stored bytes begin.
    pub(super) start: u64,
    /// Bytes as stored.
    pub stored_size: u64,
    /// Bytes as uploaded.
    pub size: u64,
    /// CRC-32 of the bytes as uploaded.
    pub crc32: u32,
    /// Whether the stored bytes are deflated.
    pub deflated: bool,
}

/// A range of a shared file.
#[derive(Clone, Debug)]
pub struct EntryReader {
    file: Arc<File>,
    position: u64,
    left: u64,
}

impl EntryReader {
    pub(super) fn new(file: Arc<File>, position: u64, length: u64) -> Self {
        Self {
            file,
            position,
            left: length,
        }
    }

    /// Passes over bytes without reading them.
    #[must_use]
    pub fn without_first(mut self, bytes: u64) -> Self {
        let bytes = bytes.min(self.left);
        self.position += bytes;
        self.left -= bytes;
        self
    }
}

impl Read for EntryReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let read = self.file.read_at(&mut buffer[..wanted], self.position)?;
        if read == 0 && wanted > 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.position += read as u64;
        self.left -= read as u64;
        Ok(read)
    }
}
