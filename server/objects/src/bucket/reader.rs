//! Streams an object or an entry of it: one request for most entries, and at most one piece in memory.

use super::{StoredObject, object::ObjectStream};
use crate::{local_header::LocalHeader, threads::Threads};
use bytes::Bytes;
use std::{
    io::{self, Read},
    sync::Arc,
};

/// The longest distance from a header to the wanted bytes for which one request fetches both.
const NEAR_BYTES: u64 = 64 << 10;

/// Reads a range of an object. A clone requests the range again, except for the bytes already in memory.
#[derive(Debug)]
pub(crate) struct ObjectReader {
    object: Arc<StoredObject>,
    /// The header of the entry, until it is read.
    header: Option<Header>,
    /// The bytes received but not yet read.
    received: Bytes,
    /// The position after `received`. Until the header is read, this assumes a header without extra fields.
    position: u64,
    left: u64,
    answer: Option<Answer>,
}

/// The start of a local file header, and its length without extra fields.
#[derive(Clone, Copy, Debug)]
struct Header {
    start: u64,
    length: u64,
}

#[derive(Debug)]
struct Answer {
    stream: ObjectStream,
    /// Whether any bytes have arrived. If so, another request continues an interrupted response.
    has_begun: bool,
}

impl ObjectReader {
    /// Creates a reader of a range, which starts within the object. The content of an entry, whose header is at `header_start`,
    /// is at `start`, unless the header has extra fields.
    pub(crate) fn new(
        object: Arc<StoredObject>,
        header_start: Option<u64>,
        start: u64,
        length: u64,
    ) -> Self {
        Self {
            header: header_start.map(|header_start| Header {
                start: header_start,
                length: start - header_start,
            }),
            received: Bytes::new(),
            position: start,
            // A damaged directory may state a larger size.
            left: length.min(object.size.saturating_sub(start)),
            object,
            answer: None,
        }
    }

    /// Skips bytes without reading them.
    pub(crate) fn skip(&mut self, bytes: u64) {
        let received = bytes.min(self.received.len() as u64);
        drop(self.received.split_to(received as usize));
        let further = (bytes - received).min(self.left);
        if further > 0 {
            self.answer = None;
        }
        self.position += further;
        self.left -= further;
    }

    pub(crate) fn limit(&mut self, bytes: u64) {
        self.left = self
            .left
            .min(bytes.saturating_sub(self.received.len() as u64));
    }

    /// Sends the request, so that a failure occurs now. Blocks.
    pub(crate) fn open(&mut self) -> io::Result<()> {
        if self.answer.is_some() || self.left == 0 || !self.received.is_empty() {
            return Ok(());
        }
        match self.header {
            Some(header) if self.position - header.start <= NEAR_BYTES => self.open_at(header),
            Some(header) => {
                let end = header.start + LocalHeader::BYTES as u64;
                self.read_header(header, &self.object.fetch(header.start..end)?)?;
                self.open_here()
            }
            None => self.open_here(),
        }
    }

    /// Receives up to `most` bytes into memory, which clones share. Blocks.
    pub(crate) fn receive(&mut self, most: u64) -> io::Result<()> {
        let mut first = self.clone();
        first.limit(most);
        let mut bytes = Vec::with_capacity(first.received.len() + first.left as usize);
        first.read_to_end(&mut bytes)?;
        self.left -= (bytes.len() - self.received.len()) as u64;
        self.header = first.header;
        self.position = first.position;
        self.received = bytes.into();
        Ok(())
    }

    pub(crate) fn threads(&self) -> Threads {
        self.object.bucket.threads.clone()
    }

    fn open_here(&mut self) -> io::Result<()> {
        let end = self.position + self.left;
        self.answer = Some(Answer {
            stream: self.object.stream(self.position..end)?,
            has_begun: false,
        });
        Ok(())
    }

    /// Requests header and content together.
    fn open_at(&mut self, header: Header) -> io::Result<()> {
        let mut stream = self
            .object
            .stream(header.start..self.position + self.left)?;
        let mut bytes = Vec::new();
        while bytes.len() < LocalHeader::BYTES {
            bytes.extend_from_slice(&stream.next()?.ok_or(io::ErrorKind::UnexpectedEof)?);
        }
        self.read_header(header, &bytes)?;
        let mut received = Bytes::from(bytes);
        let mut before = self.position - header.start;
        while before > 0 {
            if received.is_empty() {
                received = stream.next()?.ok_or(io::ErrorKind::UnexpectedEof)?;
            }
            let skipped = before.min(received.len() as u64);
            drop(received.split_to(skipped as usize));
            before -= skipped;
        }
        self.accept(received);
        self.answer = Some(Answer {
            stream,
            has_begun: true,
        });
        Ok(())
    }

    /// Reads the header, and adds the length of its extra fields to the position.
    fn read_header(&mut self, expected: Header, bytes: &[u8]) -> io::Result<()> {
        let header = LocalHeader::read(bytes).filter(|header| {
            LocalHeader::BYTES as u64 + u64::from(header.name_length) == expected.length
        });
        let header = header.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                "the stored report has no entry at the position that its directory states",
            )
        })?;
        self.position += u64::from(header.extra_length);
        self.header = None;
        Ok(())
    }

    fn accept(&mut self, mut chunk: Bytes) {
        // Guards against a response longer than requested.
        chunk.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.position += chunk.len() as u64;
        self.left -= chunk.len() as u64;
        self.received = chunk;
    }
}

impl Read for ObjectReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.received.is_empty() && self.left > 0 {
            self.open()?;
            let Some(answer) = self.answer.as_mut().filter(|_| self.received.is_empty()) else {
                continue;
            };
            match (answer.stream.next(), answer.has_begun) {
                (Ok(Some(chunk)), _) => {
                    answer.has_begun = true;
                    self.accept(chunk);
                }
                // The client may have paused for longer than the storage waits. Another request continues from here.
                (_, true) => self.answer = None,
                (Ok(None), false) => return Err(io::ErrorKind::UnexpectedEof.into()),
                (Err(error), false) => return Err(error.into()),
            }
        }
        let length = buffer.len().min(self.received.len());
        buffer[..length].copy_from_slice(&self.received.split_to(length));
        Ok(length)
    }
}

impl Clone for ObjectReader {
    fn clone(&self) -> Self {
        Self {
            object: self.object.clone(),
            header: self.header,
            received: self.received.clone(),
            position: self.position,
            left: self.left,
            answer: None,
        }
    }
}
