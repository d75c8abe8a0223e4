//! The bytes of a file of a report: read in a blocking thread and streamed.

use super::storage_shim::{BOM, StorageShim};
use axum::body::{Body, Bytes};
use flate2::read::DeflateDecoder;
use futures::stream;
use objects::{Entry, EntryReader, Threads};
use std::io::{self, Cursor, Read};

/// A gzip member's header without name, time or extras (RFC 1952, section 2.3).
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// The most bytes that are read at once, and that are inflated and skipped at once.
const CHUNK_BYTES: u64 = 128 << 10;
const SKIPPED_BYTES: u64 = 4 << 20;

/// The source of the bytes. Deflated bytes become gzip by adding a header and trailer; nothing is compressed again.
#[derive(Debug)]
pub(super) struct Source {
    head: Vec<u8>,
    stored: EntryReader,
    inflates: bool,
    /// The number of bytes to skip at the start, after inflating.
    leaves_out: u64,
    tail: Vec<u8>,
    pub(super) length: u64,
}

impl Source {
    /// The stored bytes as they are.
    pub(super) fn plain(stored: EntryReader, length: u64) -> Self {
        Self {
            head: Vec::new(),
            stored,
            inflates: false,
            leaves_out: 0,
            tail: Vec::new(),
            length,
        }
    }

    /// An uploaded file with `front` before it.
    pub(super) fn uploaded(stored: EntryReader, entry: Entry, front: &StorageShim) -> Self {
        let leaves_out = if front.replaces_bom {
            BOM.len() as u64
        } else {
            0
        };
        Self {
            head: front.bytes.clone(),
            inflates: entry.deflated,
            leaves_out,
            ..Self::plain(stored, front.bytes.len() as u64 + entry.size - leaves_out)
        }
    }

    /// A deflated file as a gzip member that begins with `front`.
    pub(super) fn gzip(stored: EntryReader, entry: Entry, front: &StorageShim) -> Self {
        let (head, tail) = gzip_frame(&front.bytes, entry);
        let length = (head.len() + tail.len()) as u64 + entry.stored_size;
        Self {
            head,
            tail,
            ..Self::plain(stored, length)
        }
    }

    /// Reads everything. Blocks.
    pub(super) fn read(&self) -> io::Result<Bytes> {
        let mut whole = Vec::with_capacity(usize::try_from(self.length).unwrap_or_default());
        let (mut reader, skipped) = self.reader(0, self.length)?;
        skip(&mut reader, skipped)?;
        reader.take(self.length).read_to_end(&mut whole)?;
        if whole.len() as u64 == self.length {
            Ok(whole.into())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    /// Streams `length` bytes from `first` on. The storage is opened now, but nothing is read before the client reads.
    /// Blocks.
    pub(super) fn stream(&self, first: u64, length: u64) -> io::Result<Body> {
        let (reader, to_skip) = self.reader(first, length)?;
        let left = Left {
            reader,
            threads: self.stored.threads(),
            to_skip,
            to_send: length,
        };
        let body = Body::from_stream(stream::unfold(Some(left), async |left| {
            let mut left = left.filter(|left| left.to_send > 0)?;
            // Each step is a separate task for the threads, so none waits for a slow client or continues after it has
            // left.
            loop {
                let threads = left.threads.clone();
                let step = threads.run(move || (left.step(), left)).await;
                match step.map_err(io::Error::other) {
                    Ok((Ok(None), rest)) => left = rest,
                    Ok((Ok(Some(chunk)), rest)) => return Some((Ok(chunk), Some(rest))),
                    Ok((Err(error), _)) | Err(error) => {
                        tracing::error!(%error, "an HTML report could not be read to the end");
                        return Some((Err(error), None));
                    }
                }
            }
        }));
        Ok(body)
    }

    /// Returns a reader, and the number of bytes to skip before `first`.
    fn reader(&self, first: u64, length: u64) -> io::Result<(Box<dyn Read + Send>, u64)> {
        let (head, stored) = (self.head.clone(), self.stored.clone());
        let tail = Cursor::new(self.tail.clone());
        if head.is_empty() && !self.inflates {
            let stored = stored.without_first(first).first(length).opened()?;
            return Ok((Box::new(stored.chain(tail)), 0));
        }
        let content: Box<dyn Read + Send> = if self.inflates {
            Box::new(LeavingOut {
                reader: DeflateDecoder::new(stored.opened()?),
                left: self.leaves_out,
            })
        } else {
            Box::new(stored.without_first(self.leaves_out).opened()?)
        };
        Ok((
            Box::new(Cursor::new(head).chain(content).chain(tail)),
            first,
        ))
    }
}

/// Skips the first bytes of a reader.
struct LeavingOut<R> {
    reader: R,
    left: u64,
}

impl<R: Read> Read for LeavingOut<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = std::mem::take(&mut self.left);
        skip(&mut self.reader, left)?;
        self.reader.read(buffer)
    }
}

/// The rest of a file that is still to be sent.
struct Left {
    reader: Box<dyn Read + Send>,
    threads: Threads,
    to_skip: u64,
    to_send: u64,
}

impl Left {
    /// Reads the next piece; `None` while it skips the bytes before the range.
    fn step(&mut self) -> io::Result<Option<Bytes>> {
        if self.to_skip > 0 {
            let skipped = self.to_skip.min(SKIPPED_BYTES);
            skip(&mut self.reader, skipped)?;
            self.to_skip -= skipped;
            return Ok(None);
        }
        let wanted = self.to_send.min(CHUNK_BYTES);
        let mut chunk = Vec::with_capacity(wanted as usize);
        self.reader.by_ref().take(wanted).read_to_end(&mut chunk)?;
        if chunk.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.to_send -= chunk.len() as u64;
        Ok(Some(chunk.into()))
    }
}

fn skip(reader: &mut impl Read, bytes: u64) -> io::Result<()> {
    if io::copy(&mut reader.by_ref().take(bytes), &mut io::sink())? == bytes {
        Ok(())
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

/// Returns the bytes before and after deflated bytes that make them a gzip member that begins with `front`. `front` is
/// a stored block that is not the last (RFC 1951, section 3.2.4); it ends on a byte boundary, so the entry's own blocks
/// can follow unchanged.
fn gzip_frame(front: &[u8], entry: Entry) -> (Vec<u8>, Vec<u8>) {
    let mut head = GZIP_HEADER.to_vec();
    let mut checksum = crc32fast::Hasher::new();
    if let Some(length) = u16::try_from(front.len()).ok().filter(|length| *length > 0) {
        head.push(0);
        head.extend(length.to_le_bytes());
        head.extend((!length).to_le_bytes());
        head.extend(front);
        checksum.update(front);
    }
    checksum.combine(&crc32fast::Hasher::new_with_initial_len(
        entry.crc32,
        entry.size,
    ));
    // The trailer's length is modulo 2^32 by definition.
    let length = (front.len() as u64 + entry.size) as u32;
    let checksum = checksum.finalize();
    let tail = [checksum.to_le_bytes(), length.to_le_bytes()].concat();
    (head, tail)
}
