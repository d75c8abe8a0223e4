//! The bridge from the request's body to the thread that unpacks it: a bounded pipe, so that a fast client waits.

use super::IngestError;
use axum::{body::Bytes, extract::multipart::Field};
use std::{
    io::{self, Read},
    time::Duration,
};
use tokio::{sync::mpsc, time::timeout};

/// Chunks in flight. hyper's are at most some hundred kilobytes each.
const CHUNKS: usize = 4;

/// How much, and how long, a client may go on sending after its archive was refused. A client that waits for its last
/// byte to be taken before it looks for an answer would otherwise see a broken connection instead of the reason.
const LINGER_BYTES: u64 = 64 << 20;
const LINGER_TIME: Duration = Duration::from_secs(10);

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

/// Sends the whole field through the pipe. A reader that has gone away has its own reason, and is no error here.
pub(super) async fn forward(
    mut field: Field<'_>,
    sender: BodySender,
    limit: u64,
) -> Result<(), IngestError> {
    let mut sent = 0;
    while let Some(chunk) = field.chunk().await.map_err(IngestError::Body)? {
        sent += chunk.len() as u64;
        if sent > limit {
            return Err(IngestError::TooLarge(limit));
        }
        if sender.0.send(Message::Chunk(chunk)).await.is_err() {
            linger(field).await;
            return Ok(());
        }
    }
    // Nobody listens any more only where the reader has given up.
    sender.0.send(Message::End).await.ok();
    Ok(())
}

async fn linger(mut field: Field<'_>) {
    let mut left = LINGER_BYTES;
    let rest = async {
        while let Ok(Some(chunk)) = field.chunk().await {
            left = left.saturating_sub(chunk.len() as u64);
            if left == 0 {
                break;
            }
        }
    };
    timeout(LINGER_TIME, rest).await.ok();
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
