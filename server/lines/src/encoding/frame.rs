//! The common form of all blobs: a name with a version, a checksum, and a zstd frame.

use super::DecodeError;
use crate::limits::TooLarge;

/// A name of three letters and a version.
pub(crate) type Head = [u8; 4];

/// The number of bytes before the frame.
const PREFIX: usize = size_of::<Head>() + size_of::<u32>();

/// Higher levels save 2 to 6 % and take several times as long.
const LEVEL: i32 = 3;

pub(crate) fn pack(head: Head, body: &[u8]) -> Result<Vec<u8>, TooLarge> {
    // Compression fails without enough memory, or with too much input.
    let frame = zstd::bulk::compress(body, LEVEL).map_err(|_| TooLarge)?;
    let checksum = crc32fast::hash(&frame).to_le_bytes();
    Ok([&head[..], &checksum, &frame].concat())
}

/// Returns the body, of at most `most` bytes.
pub(crate) fn unpack(head: Head, blob: &[u8], most: usize) -> Result<Vec<u8>, DecodeError> {
    let (prefix, frame) = blob.split_at_checked(PREFIX).ok_or(DecodeError::Unknown)?;
    let (found, checksum) = prefix.split_at(head.len());
    if found != head {
        return Err(DecodeError::Unknown);
    }
    if crc32fast::hash(frame).to_le_bytes() != checksum {
        return Err(DecodeError::Damaged);
    }
    let size = zstd::zstd_safe::get_frame_content_size(frame);
    let size = size.ok().flatten().ok_or(DecodeError::Damaged)?;
    let size = usize::try_from(size).map_err(|_| TooLarge)?;
    if size > most {
        return Err(TooLarge.into());
    }
    zstd::bulk::decompress(frame, size).map_err(|_| DecodeError::Damaged)
}
