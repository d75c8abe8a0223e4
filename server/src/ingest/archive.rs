//! What kind of archive an upload is, told by its first bytes and never by its name.

use super::IngestError;
use flate2::read::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read};

/// Bytes of a tar header (POSIX.1-2017, pax, "ustar Interchange Format").
pub(super) const BLOCK_BYTES: usize = 512;

/// The tar stream within an upload, decompressed.
///
/// # Errors
///
/// [`IngestError::UnknownArchive`] where there is none.
pub(super) fn tar_stream(upload: impl Read + 'static) -> Result<Box<dyn Read>, IngestError> {
    let mut upload = BufReader::with_capacity(64 << 10, upload);
    match magic(&mut upload).map_err(IngestError::CorruptArchive)? {
        [] => Err(IngestError::UnknownArchive("empty")),
        [0x1f, 0x8b, ..] => checked(
            MultiGzDecoder::new(upload),
            "compressed with gzip but holds no tar archive",
        ),
        [b'P', b'K', 3 | 5, ..] => Err(IngestError::UnknownArchive(
            "a zip archive, which is not taken yet",
        )),
        [b'B', b'Z', b'h', ..] => Err(IngestError::UnknownArchive(
            "compressed with bzip2, which is not taken yet",
        )),
        [0xfd, b'7', b'z', b'X', ..] => Err(IngestError::UnknownArchive(
            "compressed with xz, which is not taken yet",
        )),
        [0x28, 0xb5, 0x2f, 0xfd] => Err(IngestError::UnknownArchive(
            "compressed with zstd, which is not taken yet",
        )),
        _ => checked(upload, "no archive"),
    }
}

/// The first four bytes, or fewer where there are no more. A buffer is at least filled by one read, which may be short.
fn magic(upload: &mut impl BufRead) -> io::Result<&[u8]> {
    let start = upload.fill_buf()?;
    Ok(&start[..start.len().min(4)])
}

fn checked(
    mut stream: impl Read + 'static,
    otherwise: &'static str,
) -> Result<Box<dyn Read>, IngestError> {
    let mut block = Vec::with_capacity(BLOCK_BYTES);
    stream
        .by_ref()
        .take(BLOCK_BYTES as u64)
        .read_to_end(&mut block)
        .map_err(IngestError::CorruptArchive)?;
    if is_tar_header(&block) || is_end_marker(&block) {
        Ok(Box::new(io::Cursor::new(block).chain(stream)))
    } else {
        Err(IngestError::UnknownArchive(otherwise))
    }
}

/// Whether a block's checksum is right: the sum of its bytes, its own eight counted as spaces.
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

/// Whether a block is the zeros that end an archive; an archive without entries begins with it.
fn is_end_marker(block: &[u8]) -> bool {
    block.len() == BLOCK_BYTES && block.iter().all(|&byte| byte == 0)
}
