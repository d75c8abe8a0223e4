//! A buffer over a body in which a parser can look ahead.

use std::io::{self, Read};

/// The bytes that are read at a time.
const BYTES: usize = 64 << 10;

/// A reader with look-ahead.
pub(super) struct Window<R> {
    inner: R,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    is_over: bool,
}

impl<R: Read> Window<R> {
    pub(super) fn new(inner: R) -> Self {
        Self {
            inner,
            buffer: vec![0; BYTES].into(),
            start: 0,
            end: 0,
            is_over: false,
        }
    }

    /// Returns the next bytes: at least `wanted`, of at most half the buffer, unless the input ends before.
    pub(super) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.end - self.start < wanted && !self.is_over {
            if self.start > BYTES / 2 || self.start == self.end {
                self.buffer.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.start = 0;
            }
            match self.inner.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.is_over = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// Removes bytes that were looked at.
    pub(super) fn consume(&mut self, bytes: usize) {
        self.start = (self.start + bytes).min(self.end);
    }

    /// Removes the next byte; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek(1)?.first().copied();
        self.consume(1);
        Ok(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parser_can_look_ahead_across_reads() {
        struct OneByOne(Vec<u8>);
        impl Read for OneByOne {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                match self.0.pop() {
                    Some(byte) => {
                        buffer[0] = byte;
                        Ok(1)
                    }
                    None => Ok(0),
                }
            }
        }
        let mut window = Window::new(OneByOne(b"fedcba".to_vec()));
        assert_eq!(window.peek(3).expect("bytes"), b"abc");
        window.consume(2);
        assert_eq!(window.next().expect("a byte"), Some(b'c'));
        assert_eq!(window.peek(9).expect("bytes"), b"def");
        window.consume(3);
        assert_eq!(window.next().expect("the end"), None);
    }

    #[test]
    fn more_than_the_buffer_passes_through() {
        let text: Vec<u8> = (0..=255).cycle().take(3 * BYTES).collect();
        let mut window = Window::new(&*text);
        let mut read = Vec::new();
        while let ahead @ [_, ..] = window.peek(11).expect("bytes") {
            let part = ahead.len().min(7);
            read.extend_from_slice(&ahead[..part]);
            window.consume(part);
        }
        assert_eq!(read, text);
    }
}
