//! Concatenated compressed streams, which gzip and bzip2 allow. Their number is limited, because starting a stream takes far
//! longer than sending the few bytes of an empty one.

use crate::{Limit, meter::LimitPassed};
use std::io::{self, BufRead, Read};

/// Reads all streams of an upload as one.
pub(super) struct Streams<R, S> {
    /// `None` after the last stream.
    stream: Option<S>,
    begin: fn(R) -> S,
    end: fn(S) -> R,
    /// Whether zeros may follow the last stream. gzip skips them, because tapes are padded with zeros.
    has_padding: bool,
    count: u64,
    limit: u64,
}

impl<R: BufRead, S> Streams<R, S> {
    /// `begin` starts a stream, and `end` returns the rest of the upload after it.
    pub(super) fn new(
        upload: R,
        (begin, end): (fn(R) -> S, fn(S) -> R),
        has_padding: bool,
        limit: u64,
    ) -> Self {
        Self {
            stream: Some(begin(upload)),
            begin,
            end,
            has_padding,
            count: 1,
            limit,
        }
    }

    /// Continues with the next stream, if there is one.
    fn advance(&mut self) -> io::Result<()> {
        let Some(mut upload) = self.stream.take().map(self.end) else {
            return Ok(());
        };
        match upload.fill_buf()? {
            [] => return Ok(()),
            [0, ..] if self.has_padding => return skip_zeros(&mut upload),
            _ => {}
        }
        self.count += 1;
        if self.count > self.limit {
            return Err(io::Error::other(LimitPassed(Limit::Streams(self.limit))));
        }
        self.stream = Some((self.begin)(upload));
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

impl<R: BufRead, S: Read> Read for Streams<R, S> {
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
