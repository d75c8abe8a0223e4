//! The pipe from the request's body to the thread that unpacks it. It is bounded, so that a fast client waits.

use super::IngestError;
use bytes::Bytes;
use futures::{Stream, StreamExt};
use std::io::{self, Read};
use tokio::sync::mpsc;

/// The number of chunks in the pipe. A chunk from hyper has at most a few hundred kilobytes.
const CHUNKS: usize = 4;

enum Message {
    Chunk(Bytes),
    /// The body is complete. If the pipe closes without this message, the request was interrupted.
    End,
}

/// The writing end.
pub(super) struct BodySender(mpsc::Sender<Message>);

/// The reading end. A read blocks until data arrives.
pub(super) struct BodyReader {
    messages: mpsc::Receiver<Message>,
    chunk: Bytes,
    ended: bool,
}

pub(super) fn pipe() -> (BodySender, BodyReader) {
    let (sender, messages) = mpsc::channel(CHUNKS);
    (
        BodySender(sender),
        BodyReader {
            messages,
            chunk: Bytes::new(),
            ended: false,
        },
    )
}

/// Sends the whole body through the pipe. If the reader is gone, this is not an error here: the reader returns its own error.
pub(super) async fn forward(
    mut body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    sender: BodySender,
) -> Result<(), IngestError> {
    while let Some(chunk) = body.next().await {
        if sender.0.send(Message::Chunk(chunk?)).await.is_err() {
            return Ok(());
        }
    }
    // Fails only if the reader has stopped early.
    sender.0.send(Message::End).await.ok();
    Ok(())
}

impl Read for BodyReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() && !self.ended {
            match self.messages.blocking_recv() {
                Some(Message::Chunk(chunk)) => self.chunk = chunk,
                Some(Message::End) => self.ended = true,
                None => {
                    return Err(io::Error::new(
                        io::ErrorKind::UnexpectedEof,
                        "the request broke off",
                    ));
                }
            }
        }
        let length = self.chunk.len().min(buffer.len());
        buffer[..length].copy_from_slice(&self.chunk.split_to(length));
        Ok(length)
    }
}
