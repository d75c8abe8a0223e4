//! The input as UTF-8, token by token.

use std::io::{self, BufRead, Read};

use super::utf16::Utf16;
use crate::error::ErrorKind;

/// Makes UTF-8 of any input, counts its lines, and stops at tokens that are too long.
///
/// The bytes tell the encoding, not the XML declaration: UTF-16 by its byte order mark or its zeros, all else
/// is taken for UTF-8, and bytes that are not UTF-8 each for the Latin-1 character they would be.
/// That is right for markup and digits in all encodings that extend ASCII, and keeps different names different.
pub(super) struct Source<R> {
    inner: R,
    utf16: Option<Utf16>,
    /// How many of the bytes next in `inner` are known to be whole characters of UTF-8.
    ready: usize,
    /// Decoded characters that cannot be passed on as they are in `inner`, and how many of those are consumed.
    decoded: Vec<u8>,
    decoded_at: usize,
    /// Line ends in all of `ready` and `decoded` so far.
    line_ends: u64,
    /// Bytes consumed.
    offset: u64,
    /// Bytes left for the current token.
    allowance: usize,
    ran_out: bool,
}

/// As much is looked at in one go: in the processor's cache when it is read again.
const CHUNK: usize = 16 * 1024;

impl<R: BufRead> Source<R> {
    pub(super) fn new(mut input: R) -> Result<Self, ErrorKind> {
        let mut start = Vec::with_capacity(4);
        let read = input.by_ref().take(4).read_to_end(&mut start);
        read.map_err(|error| ErrorKind::Read(error.into()))?;
        let (mut utf16, mark) = match start.as_slice() {
            [0xEF, 0xBB, 0xBF, ..] => (None, 3),
            [0, 0, 0xFE, 0xFF] | [0xFF, 0xFE, 0, 0] | [0, 0, 0, b'<'] | [b'<', 0, 0, 0] => {
                return Err(ErrorKind::Encoding("UTF-32".to_owned()));
            }
            [0xFE, 0xFF, ..] => (Some(Utf16::new(true)), 2),
            [0xFF, 0xFE, ..] => (Some(Utf16::new(false)), 2),
            [0, b'<', ..] => (Some(Utf16::new(true)), 0),
            [b'<', 0, ..] => (Some(Utf16::new(false)), 0),
            _ => (None, 0),
        };
        start.drain(..mark);
        // What XML starts with is ASCII, so this takes no character apart.
        let mut decoded = Vec::new();
        match &mut utf16 {
            Some(utf16) => utf16.feed(&start, &mut decoded),
            None => push_latin1(&start, &mut decoded),
        }
        Ok(Self {
            inner: input,
            utf16,
            ready: 0,
            line_ends: line_ends(&decoded),
            decoded,
            decoded_at: 0,
            offset: 0,
            allowance: usize::MAX,
            ran_out: false,
        })
    }

    /// A new token begins, which may be this long.
    pub(super) fn allow(&mut self, bytes: usize) {
        self.allowance = bytes;
    }

    /// Whether reading stopped because a token was too long.
    pub(super) fn ran_out(&self) -> bool {
        self.ran_out
    }

    /// Whether all of the input is consumed.
    pub(super) fn is_at_end(&mut self) -> bool {
        self.allowance = usize::MAX;
        self.fill_buf().is_ok_and(<[u8]>::is_empty)
    }

    /// Line, from 1, and offset, from 0, of what is read next.
    pub(super) fn position(&mut self) -> (u64, u64) {
        let ahead = if self.ready == 0 {
            line_ends(&self.decoded[self.decoded_at..])
        } else {
            let next = self.inner.fill_buf().unwrap_or_default();
            line_ends(&next[..self.ready.min(next.len())])
        };
        (1 + self.line_ends - ahead, self.offset)
    }

    /// Where there is nothing to be passed on as it is: refused, decoded, or to be looked at first.
    #[cold]
    fn fill_slowly(&mut self) -> io::Result<&[u8]> {
        if self.ready == 0 && self.decoded_at == self.decoded.len() {
            self.refill()?;
        }
        let next = if self.ready == 0 {
            &self.decoded[self.decoded_at..]
        } else {
            let next = self.inner.fill_buf()?;
            &next[..next.len().min(self.ready)]
        };
        if self.allowance == 0 && !next.is_empty() {
            self.ran_out = true;
            return Err(io::Error::other("token too long"));
        }
        Ok(&next[..next.len().min(self.allowance)])
    }

    /// Makes more bytes available, if there are more.
    fn refill(&mut self) -> io::Result<()> {
        self.decoded.clear();
        self.decoded_at = 0;
        if self.utf16.is_some() {
            return self.refill_from_utf16();
        }
        let next = peek(&mut self.inner)?;
        let next = &next[..next.len().min(CHUNK)];
        self.ready = if next.is_ascii() {
            next.len()
        } else {
            std::str::from_utf8(next).map_or_else(|error| error.valid_up_to(), str::len)
        };
        self.line_ends += line_ends(&next[..self.ready]);
        if self.ready == 0 && !next.is_empty() {
            self.decode_one()?;
        }
        Ok(())
    }

    /// Decodes a character that is not UTF-8, or whose bytes do not lie side by side in `inner`.
    fn decode_one(&mut self) -> io::Result<()> {
        let mut bytes = [0; 4];
        for len in 0..bytes.len() {
            match peek(&mut self.inner)?.first() {
                Some(&byte) if len == 0 || (0x80..0xC0).contains(&byte) => bytes[len] = byte,
                _ => {
                    push_latin1(&bytes[..len], &mut self.decoded);
                    break;
                }
            }
            self.inner.consume(1);
            match std::str::from_utf8(&bytes[..=len]) {
                Ok(character) => {
                    self.decoded.extend_from_slice(character.as_bytes());
                    break;
                }
                Err(error) if error.error_len().is_none() => {}
                Err(_) => {
                    push_latin1(&bytes[..=len], &mut self.decoded);
                    break;
                }
            }
        }
        Ok(())
    }

    fn refill_from_utf16(&mut self) -> io::Result<()> {
        let Some(utf16) = &mut self.utf16 else {
            return Ok(());
        };
        while self.decoded.is_empty() {
            let next = peek(&mut self.inner)?;
            if next.is_empty() {
                break;
            }
            let next = &next[..next.len().min(CHUNK)];
            utf16.feed(next, &mut self.decoded);
            let len = next.len();
            self.inner.consume(len);
        }
        self.line_ends += line_ends(&self.decoded);
        Ok(())
    }
}

impl<R: BufRead> BufRead for Source<R> {
    #[inline]
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.ready == 0 || self.allowance == 0 {
            return self.fill_slowly();
        }
        let next = self.inner.fill_buf()?;
        Ok(&next[..next.len().min(self.ready).min(self.allowance)])
    }

    #[inline]
    fn consume(&mut self, amount: usize) {
        if self.ready == 0 {
            self.decoded_at += amount;
        } else {
            self.inner.consume(amount);
            self.ready = self.ready.saturating_sub(amount);
        }
        self.offset += amount as u64;
        self.allowance = self.allowance.saturating_sub(amount);
    }
}

impl<R: BufRead> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let next = self.fill_buf()?;
        let len = next.len().min(buffer.len());
        buffer[..len].copy_from_slice(&next[..len]);
        self.consume(len);
        Ok(len)
    }
}

fn push_latin1(bytes: &[u8], text: &mut Vec<u8>) {
    for &byte in bytes {
        let character = char::from(byte);
        text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// The next bytes, at least one unless the input is at its end.
fn peek(input: &mut impl BufRead) -> io::Result<&[u8]> {
    while let Err(error) = input.fill_buf() {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    input.fill_buf()
}

fn line_ends(text: &[u8]) -> u64 {
    // Sums of bytes are what the compiler makes vectors of, and 255 of them fit a byte.
    let in_chunk = |chunk: &[u8]| {
        chunk
            .iter()
            .map(|&byte| u8::from(byte == b'\n'))
            .sum::<u8>()
    };
    text.chunks(255)
        .map(|chunk| u64::from(in_chunk(chunk)))
        .sum()
}
