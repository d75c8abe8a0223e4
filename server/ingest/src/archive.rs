//! Recognises the kind of archive by its first bytes, never by its name.

mod compression;

use super::{IngestError, meter::Meter};
use compression::Compression;
use config::Limits;
use std::io::{self, BufRead, BufReader, Read};

/// Bytes of a tar header (POSIX.1-2017, pax, "ustar Interchange Format").
pub(super) const BLOCK_BYTES: usize = 512;

/// The number of first bytes that identify every kind.
const MAGIC_BYTES: usize = 10;

/// Bytes of an upload read at a time.
const READ_BYTES: usize = 64 << 10;

/// An upload that starts like an archive.
pub(super) enum Archive {
    /// A tar stream, decompressed.
    Tar(Box<dyn Read>),
    /// A zip, as sent.
    Zip(Box<dyn BufRead>),
}

impl Archive {
    /// Recognises the archive. [`IngestError::UnknownArchive`] if the upload is not a known archive.
    pub(super) fn of(
        upload: impl Read + 'static,
        meter: &Meter,
        limits: &Limits,
    ) -> Result<Self, IngestError> {
        let mut upload = BufReader::with_capacity(READ_BYTES, meter.receive(upload));
        let magic = read_up_to(&mut upload, MAGIC_BYTES).map_err(IngestError::CorruptArchive)?;
        let (is_empty, is_zip) = (magic.is_empty(), is_zip(&magic));
        let compression = Compression::from_magic(&magic);
        let upload = io::Cursor::new(magic).chain(upload);
        if is_empty {
            return Err(IngestError::UnknownArchive("empty"));
        }
        if is_zip {
            return Ok(Self::Zip(Box::new(upload)));
        }
        let stream = compression
            .decoder(upload, limits)
            .map_err(IngestError::CorruptArchive)?;
        let mut stream = meter.unpack(stream);
        let block = read_up_to(&mut stream, BLOCK_BYTES).map_err(|error| meter.explain(error))?;
        if is_tar_header(&block) || is_end_marker(&block) {
            Ok(Self::Tar(Box::new(io::Cursor::new(block).chain(stream))))
        } else {
            Err(IngestError::UnknownArchive(compression.without_tar()))
        }
    }
}

/// Returns the next `bytes` bytes, or fewer at the end of the stream.
fn read_up_to(stream: &mut impl Read, bytes: usize) -> io::Result<Vec<u8>> {
    let mut read = Vec::with_capacity(bytes);
    stream.take(bytes as u64).read_to_end(&mut read)?;
    Ok(read)
}

/// Returns whether the upload starts with an entry, or with the end record of an empty zip (PKWARE APPNOTE, sections 4.3.7 and
/// 4.3.16).
fn is_zip(magic: &[u8]) -> bool {
    magic.starts_with(b"PK\x03\x04") || magic.starts_with(b"PK\x05\x06")
}

/// Returns whether the checksum of a block is right: the sum of its bytes, with the eight bytes of the checksum counted as
/// spaces.
fn is_tar_header(block: &[u8]) -> bool {
    let Some(field) = block.get(148..156).filter(|_| block.len() == BLOCK_BYTES) else {
        return false;
    };
    let digits: String = field
        .iter()
        .map(|&byte| char::from(byte))
        .filter(char::is_ascii_digit)
        .collect();
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    let own: u32 = field.iter().map(|&byte| u32::from(byte)).sum();
    u32::from_str_radix(&digits, 8).is_ok_and(|stated| stated == sum - own + 8 * 32)
}

/// Returns whether a block is all zeros. Such a block ends an archive; an empty archive starts with it.
fn is_end_marker(block: &[u8]) -> bool {
    block.len() == BLOCK_BYTES && block.iter().all(|&byte| byte == 0)
}
