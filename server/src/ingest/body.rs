//! The bridge from the request's body to the thread that unpacks it: a bounded pipe, so that a fast client waits.

use super::IngestError;
use bytes::Bytes;
use futures::{Stream, StreamExt};
use std::io::{self, Read};
use tokio::sync::mpsc;

/// Chunks in flight. hyper's are at most some hundred kilobytes each.
const CHUNKS: usize = 4;

enum Message {
    Chunk(Bytes),
    /// The body is whole. A pipe that closes without this broke off.
    End,
}

/// The writing end.
pub(super) struct BodySender(mpsc::Sender<Message>);

/// The reading end; blocks until there is something to read.
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

/// Sends the whole body through the pipe. A reader that has gone away has its own reason, and is no error here.
pub(super) async fn forward(
    mut body: impl Stream<Item = Result<Bytes, IngestError>> + Unpin,
    sender: BodySender,
) -> Result<(), IngestError> {
    while let Some(chunk) = body.next().await {
        if sender.0.send(Message::Chunk(chunk?)).await.is_err() {
            return Ok(());
        }
    }
    // Nobody listens any more only where the reader has given up.
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
