//! Concatenated compressed streams, which gzip and bzip2 allow. Their number is limited, because starting a stream takes far
//! longer than sending the few bytes of an empty one.

use crate::{Limit, meter::LimitPassed};
use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};

pub(super) trait Stream: Read {
    type Upload: BufRead;
    /// Whether zeros may follow the last stream. gzip skips them, because tapes are padded with zeros.
    const HAS_PADDING: bool;
    fn begin(upload: Self::Upload) -> Self;
    fn end(self) -> Self::Upload;
}

impl<R: BufRead> Stream for GzDecoder<R> {
    type Upload = R;
    const HAS_PADDING: bool = true;

    fn begin(upload: R) -> Self {
        Self::new(upload)
    }

    fn end(self) -> R {
        self.into_inner()
    }
}

impl<R: BufRead> Stream for BzDecoder<R> {
    type Upload = R;
    const HAS_PADDING: bool = false;

    fn begin(upload: R) -> Self {
        Self::new(upload)
    }

    fn end(self) -> R {
        self.into_inner()
    }
}

/// Reads all streams of an upload as one.
pub(super) struct Streams<S> {
    /// `None` after the last stream.
    stream: Option<S>,
    count: u64,
    limit: u64,
}

impl<S: Stream> Streams<S> {
    pub(super) fn new(upload: S::Upload, max_streams: u64) -> Self {
        Self {
            stream: Some(S::begin(upload)),
            count: 1,
            limit: max_streams,
        }
    }

    /// Continues with the next stream, if there is one.
    fn advance(&mut self) -> io::Result<()> {
        let Some(mut upload) = self.stream.take().map(S::end) else {
            return Ok(());
        };
        match upload.fill_buf()? {
            [] => return Ok(()),
            [0, ..] if S::HAS_PADDING => return skip_zeros(&mut upload),
            _ => {}
        }
        self.count += 1;
        if self.count > self.limit {
            return Err(io::Error::other(LimitPassed(Limit::Streams(self.limit))));
        }
        self.stream = Some(S::begin(upload));
        Ok(())
    }
}

fn skip_zeros(upload: &mut impl BufRead) -> io::Result<()> {
    loop {
        let padding = upload.fill_buf()?;
        if padding.is_empty() {
            return Ok(());
        }
        if padding.iter().any(|&byte| byte != 0) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "there are other bytes after the padding",
            ));
        }
        let length = padding.len();
        upload.consume(length);
    }
}

impl<S: Stream> Read for Streams<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(stream) = &mut self.stream {
            let read = stream.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            self.advance()?;
        }
        Ok(0)
    }
}
