//! The table of contents of a stored report.

use super::ReportsError;
use std::{collections::HashMap, fs::File, io::BufReader};
use zip::{CompressionMethod, ZipArchive};

/// Where an entry's bytes are, and what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where its local header begins.
    pub(super) header_start: u64,
    /// Bytes as stored.
    pub stored_size: u64,
    /// Bytes as uploaded.
    pub size: u64,
    /// CRC-32 of the bytes as uploaded.
    pub crc32: u32,
    /// Whether the stored bytes are deflated.
    pub deflated: bool,
}

pub(super) fn read(file: &File) -> Result<HashMap<Box<str>, Entry>, ReportsError> {
    let archive = ZipArchive::new(BufReader::new(file.try_clone()?))?;
    let entry = |index| {
        let data = archive.by_index_data(index)?;
        let entry = Entry {
            header_start: data.header_start(),
            stored_size: data.compressed_size(),
            size: data.size(),
            crc32: data.crc32(),
            deflated: data.compression() == CompressionMethod::Deflated,
        };
        Ok((data.name()?.into(), entry))
    };
    (0..archive.len()).map(entry).collect()
}
