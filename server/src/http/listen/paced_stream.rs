//! A connection that ends when its client reads nothing for too long, or reads too slowly on average.

use crate::http::pace::{Pace, TooSlow};
use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};
use tokio_io_timeout::TimeoutStream;

pub(super) struct PacedStream {
    stream: Pin<Box<TimeoutStream<TcpStream>>>,
    pace: Pace,
    /// Since when the service waits for the client, because the system's send buffer is full.
    waiting_since: Option<Instant>,
}

impl PacedStream {
    /// A connection whose client must read something within `stall`, and on average over that time at least
    /// `min_bytes_per_second`.
    pub(super) fn new(stream: TcpStream, stall: Duration, min_bytes_per_second: u64) -> Self {
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(stall));
        Self {
            stream: Box::pin(stream),
            pace: Pace::new(stall, min_bytes_per_second),
            waiting_since: None,
        }
    }

    fn judge(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending => {
                self.waiting_since.get_or_insert_with(Instant::now);
                Poll::Pending
            }
            Poll::Ready(Ok(bytes)) => {
                let since = self.waiting_since.take();
                let waited = since.map_or(Duration::ZERO, |since| since.elapsed());
                Poll::Ready(match self.pace.took(bytes as u64, waited) {
                    Ok(()) => Ok(bytes),
                    Err(TooSlow) => Err(io::ErrorKind::TimedOut.into()),
                })
            }
            failed => failed,
        }
    }
}

impl AsyncRead for PacedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_read(context, buffer)
    }
}

impl AsyncWrite for PacedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream.as_mut().poll_write(context, bytes);
        self.judge(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.stream.as_mut().poll_write_vectored(context, bytes);
        self.judge(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.stream.as_mut().poll_shutdown(context)
    }
}
