//! The body of a file of a report: read in a blocking thread, sent as it comes.

use super::front::{BOM, Front};
use crate::reports::{Entry, EntryReader, ReportObject, ReportsError};
use axum::body::{Body, Bytes};
use flate2::read::DeflateDecoder;
use futures::stream;
use std::{
    io::{self, Cursor, Read},
    sync::Arc,
};
use tokio::task;

/// A gzip member's header without name, time or extras (RFC 1952, section 2.3).
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// Files up to this size are sent in one piece.
const WHOLE_BYTES: u64 = 256 << 10;
const CHUNK_BYTES: usize = 128 << 10;

/// How a file is wanted.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// As gzip, if it is stored so that this costs nothing.
    pub(super) as_gzip: bool,
    /// As a page in a browser, which needs the [stand-in](Front) for what a sandbox lacks.
    pub(super) as_page: bool,
}

pub(super) struct FileBody {
    pub(super) content: Body,
    pub(super) length: u64,
    pub(super) is_gzip: bool,
    /// The charset that a page states.
    pub(super) charset: Option<String>,
}

/// Opens an entry. Deflated bytes become gzip by a frame around them: nothing is compressed again.
pub(super) async fn open(
    object: Arc<ReportObject>,
    entry: Entry,
    wanted: Wanted,
) -> Result<FileBody, ReportsError> {
    task::spawn_blocking(move || read(&object, entry, wanted))
        .await
        .map_err(io::Error::other)?
}

fn read(object: &ReportObject, entry: Entry, wanted: Wanted) -> Result<FileBody, ReportsError> {
    let front = match wanted.as_page {
        true => Front::of(uploaded(object.stored(entry)?, entry))?,
        false => Front::default(),
    };
    let is_gzip = wanted.as_gzip && entry.deflated && !front.replaces_bom;
    let stored = object.stored(entry)?;
    let (mut reader, length): (Box<dyn Read + Send>, u64) = if is_gzip {
        let (head, trailer) = gzip_frame(&front.bytes, entry);
        let length = (head.len() + trailer.len()) as u64 + entry.stored_size;
        (
            Box::new(Cursor::new(head).chain(stored).chain(Cursor::new(trailer))),
            length,
        )
    } else {
        let skipped = if front.replaces_bom {
            BOM.len() as u64
        } else {
            0
        };
        let length = front.bytes.len() as u64 + entry.size - skipped;
        let mut rest = uploaded(stored, entry);
        io::copy(&mut rest.by_ref().take(skipped), &mut io::sink())?;
        (Box::new(Cursor::new(front.bytes).chain(rest)), length)
    };
    let content = if length > WHOLE_BYTES {
        streamed(reader)
    } else {
        let mut whole = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
        reader.read_to_end(&mut whole)?;
        Body::from(whole)
    };
    Ok(FileBody {
        content,
        length,
        is_gzip,
        charset: front.charset,
    })
}

/// The bytes of an entry as they were uploaded.
fn uploaded(stored: EntryReader, entry: Entry) -> Box<dyn Read + Send> {
    match entry.deflated {
        true => Box::new(DeflateDecoder::new(stored)),
        false => Box::new(stored),
    }
}

/// What stands before and after deflated bytes to make them a gzip member that begins with `front`: a block that is
/// stored and not the last (RFC 1951, section 3.2.4) ends on a byte, so the entry's own blocks can follow as they are.
fn gzip_frame(front: &[u8], entry: Entry) -> (Vec<u8>, [u8; 8]) {
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
    let mut trailer = [0; 8];
    trailer[..4].copy_from_slice(&checksum.finalize().to_le_bytes());
    trailer[4..].copy_from_slice(&length.to_le_bytes());
    (head, trailer)
}

/// Reads a chunk at a time, each in a blocking thread of its own: none of them waits for a slow client.
fn streamed(reader: Box<dyn Read + Send>) -> Body {
    let next = async |mut reader: Box<dyn Read + Send>| {
        let read = task::spawn_blocking(move || {
            let mut chunk = Vec::with_capacity(CHUNK_BYTES);
            let read = reader
                .by_ref()
                .take(CHUNK_BYTES as u64)
                .read_to_end(&mut chunk);
            (read.map(|_| Bytes::from(chunk)), reader)
        });
        match read.await {
            Ok((Ok(chunk), _)) if chunk.is_empty() => None,
            Ok(chunk_and_rest) => Some(chunk_and_rest),
            // The length is known to the client, so it notices that the end is missing.
            Err(_) => None,
        }
    };
    Body::from_stream(stream::unfold(reader, next))
}
