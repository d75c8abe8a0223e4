//! The body of a file of a report: read in a blocking thread, sent as it comes.

use crate::reports::{Entry, EntryReader, ReportObject, ReportsError};
use axum::body::{Body, Bytes};
use flate2::read::DeflateDecoder;
use futures::stream;
use std::{
    io::{self, Cursor, Read},
    sync::Arc,
};
use tokio::{sync::mpsc, task};

/// A gzip member's header without name, time or extras (RFC 1952, section 2.3).
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
/// Header and trailer of a gzip member.
const GZIP_FRAME_BYTES: u64 = 18;

/// Files up to this size are sent in one piece.
const WHOLE_BYTES: u64 = 256 << 10;
const CHUNK_BYTES: usize = 64 << 10;
const CHUNKS: usize = 2;

pub(super) struct FileBody {
    pub(super) content: Body,
    pub(super) length: u64,
}

/// Opens an entry, as gzip or as it was uploaded. Deflated bytes become gzip by a frame around them: nothing is compressed again.
pub(super) async fn open(
    object: Arc<ReportObject>,
    entry: Entry,
    as_gzip: bool,
) -> Result<FileBody, ReportsError> {
    let length = if as_gzip {
        entry.stored_size + GZIP_FRAME_BYTES
    } else {
        entry.size
    };
    let opened = task::spawn_blocking(move || {
        let stored = object.stored(entry)?;
        let mut reader = reader(stored, entry, as_gzip);
        if length > WHOLE_BYTES {
            return Ok(Content::Stream(reader));
        }
        let mut whole = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
        reader.read_to_end(&mut whole)?;
        Ok::<_, ReportsError>(Content::Whole(whole))
    });
    let content = match opened.await.map_err(io::Error::other)?? {
        Content::Whole(bytes) => Body::from(bytes),
        Content::Stream(reader) => streamed(reader),
    };
    Ok(FileBody { content, length })
}

enum Content {
    Whole(Vec<u8>),
    Stream(Box<dyn Read + Send>),
}

fn reader(stored: EntryReader, entry: Entry, as_gzip: bool) -> Box<dyn Read + Send> {
    if as_gzip {
        // The trailer's length is modulo 2^32 by definition.
        let trailer = [entry.crc32.to_le_bytes(), (entry.size as u32).to_le_bytes()].concat();
        Box::new(
            Cursor::new(GZIP_HEADER)
                .chain(stored)
                .chain(Cursor::new(trailer)),
        )
    } else if entry.deflated {
        Box::new(DeflateDecoder::new(stored))
    } else {
        Box::new(stored)
    }
}

fn streamed(mut reader: Box<dyn Read + Send>) -> Body {
    let (sender, receiver) = mpsc::channel::<io::Result<Bytes>>(CHUNKS);
    task::spawn_blocking(move || {
        loop {
            let mut chunk = vec![0; CHUNK_BYTES];
            let read = reader.read(&mut chunk).map(|length| {
                chunk.truncate(length);
                Bytes::from(chunk)
            });
            let is_last = !read.as_ref().is_ok_and(|chunk| !chunk.is_empty());
            // An empty chunk ends the body by itself; a reader that hung up ends it too.
            if matches!(&read, Ok(chunk) if chunk.is_empty())
                || sender.blocking_send(read).is_err()
                || is_last
            {
                return;
            }
        }
    });
    Body::from_stream(stream::unfold(receiver, async |mut receiver| {
        Some((receiver.recv().await?, receiver))
    }))
}
