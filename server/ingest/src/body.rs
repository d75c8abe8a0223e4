//! The pipe from the request's body to the thread that unpacks it. It is bounded, so that a fast client waits.

use super::IngestError;
use bytes::Bytes;
use futures::{Stream, StreamExt};
use std::io::{self, Read};
use tokio::sync::mpsc;

/// The number of chunks in the pipe. A chunk from hyper has at most a few hundred kilobytes.
const CHUNKS: usize = 4;

/// The reading end. A read blocks until data arrives. It also ends if the request is interrupted, which `forward` reports.
pub struct BodyReader {
    chunks: mpsc::Receiver<Bytes>,
    chunk: Bytes,
}

pub(super) fn pipe() -> (mpsc::Sender<Bytes>, BodyReader) {
    let (sender, chunks) = mpsc::channel(CHUNKS);
    let chunk = Bytes::new();
    (sender, BodyReader { chunks, chunk })
}

/// Sends the whole body through the pipe. If the reader is gone, this is not an error here: the reader returns its own error.
pub(super) async fn forward(
    mut body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    sender: mpsc::Sender<Bytes>,
) -> Result<(), IngestError> {
    while let Some(chunk) = body.next().await {
        if sender.send(chunk?).await.is_err() {
            break;
        }
    }
    Ok(())
}

impl Read for BodyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            match self.chunks.blocking_recv() {
                Some(chunk) => self.chunk = chunk,
                None => return Ok(0),
            }
        }
        let length = self.chunk.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.chunk.split_to(length));
        Ok(length)
    }
}
