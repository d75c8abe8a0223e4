//! An entry of a report, and readers of its bytes that work concurrently.

use super::{bucket::ObjectReader, threads::Threads};
use rawzip::{FileReader, ReaderAt};
use std::{
    io::{self, Read},
    sync::Arc,
};

/// The position and the properties of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub(super) header_start: u64,
    /// The position of the stored bytes. In a bucket, this assumes a header without extra fields.
    pub(super) start: u64,
    /// The size as stored, in bytes.
    pub stored_size: u64,
    /// The size as uploaded, in bytes.
    pub size: u64,
    /// The CRC-32 of the bytes as uploaded.
    pub crc32: u32,
    /// Whether the stored bytes are deflated.
    pub deflated: bool,
}

/// Reads a range of a stored report. Clones read independently.
#[derive(Clone, Debug)]
pub struct EntryReader(pub(super) Stored);

#[derive(Clone, Debug)]
pub(super) enum Stored {
    File(FileRange),
    Object(Box<ObjectReader>),
}

#[derive(Clone, Debug)]
pub(super) struct FileRange {
    pub(super) file: Arc<FileReader>,
    pub(super) position: u64,
    pub(super) left: u64,
}

impl EntryReader {
    /// Skips bytes without reading them.
    #[must_use]
    pub fn without_first(mut self, bytes: u64) -> Self {
        match &mut self.0 {
            Stored::File(range) => {
                let bytes = bytes.min(range.left);
                range.position += bytes;
                range.left -= bytes;
            }
            Stored::Object(object) => object.skip(bytes),
        }
        self
    }

    /// Limits the reader to `bytes` bytes.
    #[must_use]
    pub fn first(mut self, bytes: u64) -> Self {
        match &mut self.0 {
            Stored::File(range) => range.left = range.left.min(bytes),
            Stored::Object(object) => object.limit(bytes),
        }
        self
    }

    /// Sends the request to a bucket, so that a failure occurs before the response starts. Blocks.
    pub fn opened(mut self) -> io::Result<Self> {
        if let Stored::Object(object) = &mut self.0 {
            object.open()?;
        }
        Ok(self)
    }

    /// In a bucket, reads up to `most` bytes into memory, which clones share. Otherwise each clone would send a request. Blocks.
    pub fn received(mut self, most: u64) -> io::Result<Self> {
        if let Stored::Object(object) = &mut self.0 {
            object.receive(most)?;
        }
        Ok(self)
    }

    /// Returns the threads for reading.
    pub fn threads(&self) -> Threads {
        match &self.0 {
            Stored::File(_) => Threads::default(),
            Stored::Object(object) => object.threads(),
        }
    }
}

impl Read for EntryReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            Stored::File(range) => range.read(buffer),
            Stored::Object(object) => object.read(buffer),
        }
    }
}

impl Read for FileRange {
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
