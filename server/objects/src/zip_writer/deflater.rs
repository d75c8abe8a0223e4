//! Deflates all entries with the same state, because creating a new state for each small file is slow.

use flate2::{Compress, Compression, FlushCompress, Status};
use std::io::{self, Write};

/// The size of the pieces in which deflated bytes are written.
const PIECE_BYTES: usize = 32 << 10;

pub(super) struct Deflater {
    compress: Compress,
    piece: Box<[u8]>,
}

impl Deflater {
    pub(super) fn new() -> Self {
        Self {
            // Level 1: reports shrink to nearly the same size as with level 6, in a third of the time.
            compress: Compress::new(Compression::new(1), false),
            piece: vec![0; PIECE_BYTES].into(),
        }
    }

    pub(super) fn write(&mut self, mut bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        while !bytes.is_empty() {
            let (consumed, _) = self.step(bytes, FlushCompress::None, out)?;
            bytes = bytes.get(consumed..).unwrap_or_default();
        }
        Ok(())
    }

    /// Ends the entry. The next bytes belong to another entry.
    pub(super) fn finish(&mut self, out: &mut impl Write) -> io::Result<()> {
        while self.step(&[], FlushCompress::Finish, out)?.1 != Status::StreamEnd {}
        self.compress.reset();
        Ok(())
    }

    fn step(
        &mut self,
        bytes: &[u8],
        flush: FlushCompress,
        out: &mut impl Write,
    ) -> io::Result<(usize, Status)> {
        let (read, written) = (self.compress.total_in(), self.compress.total_out());
        let status = self
            .compress
            .compress(bytes, &mut self.piece, flush)
            .map_err(io::Error::other)?;
        // Both are at most the length of a slice.
        let consumed = (self.compress.total_in() - read) as usize;
        let made = (self.compress.total_out() - written) as usize;
        out.write_all(&self.piece[..made])?;
        Ok((consumed, status))
    }
}
