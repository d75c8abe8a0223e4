//! Writes a zip file sequentially, without seeking and in constant memory.
//!
//! Libraries keep the central directory in memory until the end: 200 MB for 200,000 entries with long paths. This writer spools
//! it to a separate file. The format is PKWARE's APPNOTE 6.3.10; comments name its sections.

mod records;

use flate2::{Compress, Compression, FlushCompress, Status};
use records::{Entry, MAX_32_BITS};
use std::{
    io::{self, BufWriter, Seek, Write},
    path::Path,
};
use tempfile::SpooledTempFile;

/// A central directory up to this size needs no file. Few are larger.
const DIRECTORY_IN_MEMORY: usize = 1 << 20;

/// Entries are added to the directory in pieces of this size.
const DIRECTORY_BUFFER: usize = 32 << 10;

/// A file or an object that is not visible yet. Dropping it removes it.
pub(crate) trait Unpublished: Write + Send {
    /// Makes it durable under its key. After a failure, it may remain there.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

pub(super) struct ZipWriter<W: Write> {
    out: Counted<W>,
    directory: BufWriter<SpooledTempFile>,
    entries: u64,
    current: Option<Current>,
    deflater: Deflater,
}

struct Current {
    name: String,
    deflated: bool,
    header_start: u64,
    content_start: u64,
    size: u64,
    checksum: crc32fast::Hasher,
}

impl<W: Write> ZipWriter<W> {
    /// Creates a writer to `out`. A large directory is spooled to an unlinked file in `folder`.
    pub(super) fn new(out: W, folder: &Path) -> Self {
        let directory = tempfile::spooled_tempfile_in(DIRECTORY_IN_MEMORY, folder);
        Self {
            out: Counted { out, position: 0 },
            directory: BufWriter::with_capacity(DIRECTORY_BUFFER, directory),
            entries: 0,
            current: None,
            deflater: Deflater::new(),
        }
    }

    /// Ends the previous entry, and starts another.
    pub(super) fn begin_entry(&mut self, name: &str, deflated: bool) -> io::Result<()> {
        self.end_entry()?;
        let header_start = self.out.position;
        self.out
            .write_all(&records::local_header(name, deflated)?)?;
        self.current = Some(Current {
            name: name.to_owned(),
            deflated,
            header_start,
            content_start: self.out.position,
            size: 0,
            checksum: crc32fast::Hasher::new(),
        });
        Ok(())
    }

    fn end_entry(&mut self) -> io::Result<()> {
        let Some(current) = self.current.take() else {
            return Ok(());
        };
        if current.deflated {
            self.deflater.finish(&mut self.out)?;
        }
        let entry = Entry {
            stored_size: in_32_bits(self.out.position - current.content_start)?,
            size: in_32_bits(current.size)?,
            crc32: current.checksum.finalize(),
            name: current.name,
            deflated: current.deflated,
            header_start: current.header_start,
        };
        self.out.write_all(&entry.data_descriptor())?;
        self.directory.write_all(&entry.directory_header()?)?;
        self.entries += 1;
        Ok(())
    }

    /// Writes the directory, and returns the inner writer and the size of the whole file.
    pub(super) fn finish(mut self) -> io::Result<(W, u64)> {
        self.end_entry()?;
        let start = self.out.position;
        let mut directory = self
            .directory
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        directory.rewind()?;
        let size = io::copy(&mut directory, &mut self.out)?;
        self.out
            .write_all(&records::end_of_directory(self.entries, size, start))?;
        Ok((self.out.out, self.out.position))
    }
}

/// Writes go to the content of the entry started last.
impl<W: Write> Write for ZipWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(current) = &mut self.current else {
            return Err(io::Error::other("no entry was started"));
        };
        if current.deflated {
            self.deflater.write(bytes, &mut self.out)?;
        } else {
            self.out.write_all(bytes)?;
        }
        current.checksum.update(bytes);
        current.size += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A header must state whether the sizes exceed 32 bits, and it is written before they are known. So sizes of entries have 32
/// bits.
fn in_32_bits(size: u64) -> io::Result<u32> {
    u32::try_from(size)
        .ok()
        .filter(|size| *size != MAX_32_BITS)
        .ok_or_else(|| io::ErrorKind::FileTooLarge.into())
}

struct Counted<W> {
    out: W,
    position: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.position += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The size of the pieces in which deflated bytes are written.
const PIECE_BYTES: usize = 32 << 10;

/// Deflates all entries with the same state, because creating a new state for each small file is slow.
struct Deflater {
    compress: Compress,
    piece: Box<[u8]>,
}

impl Deflater {
    fn new() -> Self {
        Self {
            // Level 1: reports shrink to nearly the same size as with level 6, in a third of the time.
            compress: Compress::new(Compression::new(1), false),
            piece: vec![0; PIECE_BYTES].into(),
        }
    }

    fn write(&mut self, mut bytes: &[u8], out: &mut impl Write) -> io::Result<()> {
        while !bytes.is_empty() {
            let (consumed, _) = self.step(bytes, FlushCompress::None, out)?;
            bytes = bytes.get(consumed..).unwrap_or_default();
        }
        Ok(())
    }

    /// Ends the entry. The next bytes belong to another entry.
    fn finish(&mut self, out: &mut impl Write) -> io::Result<()> {
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

#[cfg(test)]
mod tests;
