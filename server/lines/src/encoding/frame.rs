//! The common form of all blobs: a name with a version, a checksum, and zstd frames, mostly one.

use super::DecodeError;
use crate::limits::TooLarge;
use zstd::zstd_safe;

/// A name of three letters and a version.
pub(crate) type Head = [u8; 4];

/// The number of bytes before the frame.
const PREFIX: usize = size_of::<Head>() + size_of::<u32>();

/// Higher levels save 2 to 6 % and take several times as long.
const LEVEL: i32 = 3;

/// For columns of at most [`SMALL`] together, of which this level saves up to 17 %, within a second.
const HIGH_LEVEL: i32 = 19;
const SMALL: usize = 1 << 20;

pub(crate) fn pack(head: Head, body: &[u8]) -> Result<Vec<u8>, TooLarge> {
    packed(head, &[body], LEVEL)
}

/// Like [`pack`], for columns of a body that have little in common: small ones take less in frames of their own.
pub(crate) fn pack_columns<const N: usize>(
    head: Head,
    columns: [&[u8]; N],
) -> Result<Vec<u8>, TooLarge> {
    let bytes: usize = columns.iter().map(|column| column.len()).sum();
    let level = match bytes <= SMALL {
        true => HIGH_LEVEL,
        false => LEVEL,
    };
    packed(head, &columns, level)
}

fn packed(head: Head, columns: &[&[u8]], level: i32) -> Result<Vec<u8>, TooLarge> {
    // Compression fails without enough memory, or with too much input.
    let frames = columns
        .iter()
        .map(|column| zstd::bulk::compress(column, level));
    let frames: Vec<_> = frames.collect::<Result<_, _>>().map_err(|_| TooLarge)?;
    let frames = frames.concat();
    let checksum = crc32fast::hash(&frames).to_le_bytes();
    Ok([&head[..], &checksum, &frames].concat())
}

/// Returns the body, of at most `most` bytes.
pub(crate) fn unpack(head: Head, blob: &[u8], most: usize) -> Result<Vec<u8>, DecodeError> {
    let (prefix, mut frames) = blob.split_at_checked(PREFIX).ok_or(DecodeError::Unknown)?;
    let (found, checksum) = prefix.split_at(head.len());
    if found != head {
        return Err(DecodeError::Unknown);
    }
    if crc32fast::hash(frames).to_le_bytes() != checksum {
        return Err(DecodeError::Damaged);
    }
    let mut body = Vec::new();
    loop {
        let length = zstd_safe::find_frame_compressed_size(frames).ok();
        let frame = length.and_then(|length| frames.split_off(..length));
        let frame = frame.ok_or(DecodeError::Damaged)?;
        let size = zstd_safe::get_frame_content_size(frame);
        let size = size.ok().flatten().ok_or(DecodeError::Damaged)?;
        let size = usize::try_from(size).map_err(|_| TooLarge)?;
        if size > most - body.len() {
            return Err(TooLarge.into());
        }
        let column = zstd::bulk::decompress(frame, size).map_err(|_| DecodeError::Damaged)?;
        // Most blobs have one frame, whose content is not copied.
        match body.is_empty() {
            true => body = column,
            false => body.extend(column),
        }
        if frames.is_empty() {
            return Ok(body);
        }
    }
}
