//! The compressions of a tar archive, and their decoders, whose memory is bounded.

use crate::Limit;
use bzip2::bufread::BzDecoder;
use config::Limits;
use flate2::bufread::GzDecoder;
use liblzma::{
    bufread::XzDecoder,
    stream::{CONCATENATED, Error as XzError, Stream},
};
use std::io::{self, BufRead, Read};
use zstd::stream::read::Decoder as ZstdDecoder;

/// The memory of xz in addition to its dictionary.
const XZ_OVERHEAD_BYTES: u64 = 1 << 20;

/// zstd's message for a frame that needs a larger window than allowed. The crate returns no error code.
const ZSTD_WINDOW_TOO_LARGE: &str = "Frame requires too much memory for decoding";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl Compression {
    /// Recognises the compression by the first bytes of an upload.
    pub(super) fn from_magic(magic: &[u8]) -> Self {
        match magic {
            [0x1f, 0x8b, ..] => Self::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if is_bzip2(rest) => Self::Bzip2,
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Self::Xz,
            // A frame, or a skippable frame, with which pzstd starts.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Self::Zstd,
            _ => Self::None,
        }
    }

    /// Returns the decoder. Every decoder reads several concatenated streams, and fails if one is cut off.
    pub(super) fn decoder(
        self,
        upload: impl BufRead + 'static,
        limits: &Limits,
    ) -> io::Result<Box<dyn Read>> {
        let (max_streams, max_window_bytes) = (limits.max_streams, limits.max_window_bytes);
        Ok(match self {
            Self::None => Box::new(upload),
            Self::Gzip => Box::new(Streams::new(
                upload,
                GzDecoder::new,
                GzDecoder::into_inner,
                true,
                max_streams,
            )),
            Self::Bzip2 => Box::new(Streams::new(
                upload,
                BzDecoder::new,
                BzDecoder::into_inner,
                false,
                max_streams,
            )),
            Self::Xz => {
                let memory = max_window_bytes.saturating_add(XZ_OVERHEAD_BYTES);
                let stream = Stream::new_stream_decoder(memory, CONCATENATED)?;
                Box::new(Bounded {
                    decoder: XzDecoder::new_stream(upload, stream),
                    max_window_bytes,
                })
            }
            Self::Zstd => {
                let mut decoder = ZstdDecoder::with_buffer(upload)?;
                decoder.window_log_max(window_log(max_window_bytes))?;
                Box::new(Bounded {
                    decoder,
                    max_window_bytes,
                })
            }
        })
    }

    /// Describes an upload whose decompressed bytes are not a tar archive.
    pub(super) fn without_tar(self) -> &'static str {
        match self {
            Self::None => "not an archive",
            Self::Gzip => "compressed with gzip but does not contain a tar archive",
            Self::Bzip2 => "compressed with bzip2 but does not contain a tar archive",
            Self::Xz => "compressed with xz but does not contain a tar archive",
            Self::Zstd => "compressed with zstd but does not contain a tar archive",
        }
    }
}

/// Returns whether a block follows the header of bzip2, or the end of an empty stream.
fn is_bzip2(after_header: &[u8]) -> bool {
    let starts = [b"1AY&SY", b"\x17rE8P\x90"];
    starts.iter().any(|start| after_header.starts_with(*start))
}

/// Returns the logarithm of the largest power of two within a limit, clamped to the range of zstd.
fn window_log(max_window_bytes: u64) -> u32 {
    max_window_bytes.max(1).ilog2().clamp(10, 31)
}

/// A decoder that refuses input if it needs more memory than allowed.
struct Bounded<R> {
    decoder: R,
    max_window_bytes: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(buffer).map_err(|error| {
            if needs_more_memory(&error) {
                io::Error::other(Limit::WindowBytes(self.max_window_bytes))
            } else {
                error
            }
        })
    }
}

fn needs_more_memory(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| {
        inner.downcast_ref() == Some(&XzError::MemLimit)
            || inner.to_string() == ZSTD_WINDOW_TOO_LARGE
    })
}

/// Reads all streams of an upload as one: gzip and bzip2 allow several. Their number is limited, because starting a stream takes
/// far longer than sending the few bytes of an empty one.
struct Streams<R, S> {
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
    fn new(upload: R, begin: fn(R) -> S, end: fn(S) -> R, has_padding: bool, limit: u64) -> Self {
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
            return Err(io::Error::other(Limit::Streams(self.limit)));
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
