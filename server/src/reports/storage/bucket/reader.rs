//! Reading an object, or an entry in it, as it comes: one request for most entries, and no more in memory than a piece.

use super::{StoredObject, object::ObjectStream};
use crate::reports::{local_header::LocalHeader, threads::Threads};
use bytes::Bytes;
use std::{
    io::{self, Read},
    sync::Arc,
};

/// A header that is no further before what is wanted than this comes with it, instead of by a request of its own.
const NEAR_BYTES: u64 = 64 << 10;

/// A range of an object. A clone reads it anew, but for what is in memory already.
#[derive(Debug)]
pub(in crate::reports) struct ObjectReader {
    object: Arc<StoredObject>,
    /// The header of the entry, until it was read.
    header: Option<Header>,
    /// What was received and not read yet.
    received: Bytes,
    /// What comes after that: where it begins (behind a header without extra fields, until that was read), and how much.
    position: u64,
    left: u64,
    answer: Option<Answer>,
}

/// Where a local file header begins, and how long it is without extra fields.
#[derive(Clone, Copy, Debug)]
struct Header {
    start: u64,
    length: u64,
}

/// What a request brings.
#[derive(Debug)]
struct Answer {
    stream: ObjectStream,
    /// Whether anything of it has come: then another request goes on from there when it breaks off.
    has_begun: bool,
}

impl ObjectReader {
    /// The object itself.
    pub(in crate::reports) fn whole(object: Arc<StoredObject>) -> Self {
        Self {
            left: object.size(),
            object,
            header: None,
            received: Bytes::new(),
            position: 0,
            answer: None,
        }
    }

    /// An entry whose header begins at `header_start`, and whose content begins at `start`, which is in the object, unless
    /// the header has extra fields.
    pub(in crate::reports) fn entry(
        object: Arc<StoredObject>,
        header_start: u64,
        start: u64,
        length: u64,
    ) -> Self {
        Self {
            header: Some(Header {
                start: header_start,
                length: start - header_start,
            }),
            position: start,
            // What a damaged directory says may be more than there is.
            left: length.min(object.size().saturating_sub(start)),
            ..Self::whole(object)
        }
    }

    /// Passes over bytes without reading them.
    pub(in crate::reports) fn pass_over(&mut self, bytes: u64) {
        let received = bytes.min(self.received.len() as u64);
        drop(self.received.split_to(received as usize));
        let further = (bytes - received).min(self.left);
        if further > 0 {
            self.answer = None;
        }
        self.position += further;
        self.left -= further;
    }

    /// Ends it after so many bytes.
    pub(in crate::reports) fn limit(&mut self, bytes: u64) {
        self.left = self
            .left
            .min(bytes.saturating_sub(self.received.len() as u64));
    }

    /// Makes the request, so that whoever cannot be answered hears of it now. Blocks.
    pub(in crate::reports) fn open(&mut self) -> io::Result<()> {
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

    /// Receives up to so many bytes into memory, which clones share. Blocks.
    pub(in crate::reports) fn receive(&mut self, most: u64) -> io::Result<()> {
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

    /// Threads for reading it.
    pub(in crate::reports) fn threads(&self) -> Threads {
        self.object.bucket().threads().clone()
    }

    fn open_here(&mut self) -> io::Result<()> {
        let end = self.position + self.left;
        self.answer = Some(Answer {
            stream: self.object.stream(self.position..end)?,
            has_begun: false,
        });
        Ok(())
    }

    /// Asks for header and content at once.
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
            let passed = before.min(received.len() as u64);
            drop(received.split_to(passed as usize));
            before -= passed;
        }
        self.take_in(received);
        self.answer = Some(Answer {
            stream,
            has_begun: true,
        });
        Ok(())
    }

    /// Learns where the content really begins.
    fn read_header(&mut self, expected: Header, bytes: &[u8]) -> io::Result<()> {
        let header = LocalHeader::read(bytes).filter(|header| {
            LocalHeader::BYTES as u64 + u64::from(header.name_length) == expected.length
        });
        let header = header.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidData,
                "the stored report has no entry where its directory says",
            )
        })?;
        self.position += u64::from(header.extra_length);
        self.header = None;
        Ok(())
    }

    /// Takes bytes that have come.
    fn take_in(&mut self, mut chunk: Bytes) {
        // An answer should not be longer than what was asked for.
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
                    self.take_in(chunk);
                }
                // A client may have paused for longer than the storage waits: another request goes on from there.
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
