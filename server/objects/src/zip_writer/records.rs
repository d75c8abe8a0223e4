//! Encodes the records of a zip file (APPNOTE, section 4.3).

use std::io;

/// The value of a 32-bit field whose real value is in a zip64 record (section 4.4.1.4).
pub(super) const MAX_32_BITS: u32 = u32::MAX;
const MAX_16_BITS: u16 = u16::MAX;

/// The format versions that a reader must support (section 4.4.3.2): deflate, and zip64.
const DEFLATE_VERSION: u16 = 20;
const ZIP64_VERSION: u16 = 45;

/// Sizes and checksum follow the content (bit 3); names are UTF-8 (bit 11; section 4.4.4).
const FLAGS: u16 = 1 << 3 | 1 << 11;

/// The first of January 1980, when this calendar starts (section 4.4.6). A constant date makes the bytes reproducible.
const NO_DATE: u16 = 1 << 5 | 1;

/// Made on Unix (section 4.4.2). The attributes describe a plain file that everybody may read.
const MADE_ON_UNIX: u16 = 3 << 8;
const PLAIN_FILE: u32 = 0o100_644 << 16;

/// An entry whose content has been written.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) deflated: bool,
    pub(super) crc32: u32,
    pub(super) stored_size: u32,
    pub(super) size: u32,
    pub(super) header_start: u64,
}

/// The local header before an entry's content (section 4.3.7), written before the size is known.
pub(super) fn local_header(name: &str, deflated: bool) -> io::Result<Vec<u8>> {
    let record = Record::new(0x0403_4b50)
        .u16(DEFLATE_VERSION)
        .u16(FLAGS)
        .u16(method(deflated))
        .u16(0)
        .u16(NO_DATE)
        .u32(0)
        .u32(0)
        .u32(0)
        .u16(name_length(name)?)
        .u16(0);
    Ok(record.bytes(name.as_bytes()).0)
}

impl Entry {
    /// Returns the data descriptor, which follows the content (section 4.3.9).
    pub(super) fn data_descriptor(&self) -> Vec<u8> {
        let record = Record::new(0x0807_4b50).u32(self.crc32);
        record.u32(self.stored_size).u32(self.size).0
    }

    /// Returns the header in the central directory (section 4.3.12). An offset over 32 bits is in a zip64 field (section 4.5.3).
    pub(super) fn directory_header(&self) -> io::Result<Vec<u8>> {
        let start = narrow(self.header_start);
        let (version, extra) = if start == MAX_32_BITS {
            let extra = Record(Vec::new()).u16(1).u16(8).u64(self.header_start);
            (ZIP64_VERSION, extra.0)
        } else {
            (DEFLATE_VERSION, Vec::new())
        };
        let record = Record::new(0x0201_4b50)
            .u16(MADE_ON_UNIX | version)
            .u16(version)
            .u16(FLAGS)
            .u16(method(self.deflated))
            .u16(0)
            .u16(NO_DATE)
            .u32(self.crc32)
            .u32(self.stored_size)
            .u32(self.size)
            .u16(name_length(&self.name)?)
            // At most twelve bytes.
            .u16(extra.len() as u16)
            .u16(0)
            .u16(0)
            .u16(0)
            .u32(PLAIN_FILE)
            .u32(start);
        Ok(record.bytes(self.name.as_bytes()).bytes(&extra).0)
    }
}

/// Returns the end of the file (section 4.3.16). The zip64 form precedes it if a number is too large (sections 4.3.14 and
/// 4.3.15).
pub(super) fn end_of_directory(entries: u64, size: u64, start: u64) -> Vec<u8> {
    let count = u16::try_from(entries).unwrap_or(MAX_16_BITS);
    let is_zip64 =
        count == MAX_16_BITS || narrow(size) == MAX_32_BITS || narrow(start) == MAX_32_BITS;
    let zip64 = if is_zip64 {
        Record::new(0x0606_4b50)
            // The length of the rest of this record.
            .u64(44)
            .u16(MADE_ON_UNIX | ZIP64_VERSION)
            .u16(ZIP64_VERSION)
            .u32(0)
            .u32(0)
            .u64(entries)
            .u64(entries)
            .u64(size)
            .u64(start)
            // The locator of this record.
            .u32(0x0706_4b50)
            .u32(0)
            .u64(start + size)
            .u32(1)
    } else {
        Record(Vec::new())
    };
    zip64
        .u32(0x0605_4b50)
        .u16(0)
        .u16(0)
        .u16(count)
        .u16(count)
        .u32(narrow(size))
        .u32(narrow(start))
        .u16(0)
        .0
}

fn method(deflated: bool) -> u16 {
    if deflated { 8 } else { 0 }
}

fn name_length(name: &str) -> io::Result<u16> {
    u16::try_from(name.len()).map_err(|_| io::ErrorKind::InvalidFilename.into())
}

fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(MAX_32_BITS)
}

/// A record being encoded; numbers are little-endian (section 4.4.1.1).
struct Record(Vec<u8>);

impl Record {
    fn new(signature: u32) -> Self {
        Self(Vec::with_capacity(128)).u32(signature)
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    fn u16(self, number: u16) -> Self {
        self.bytes(&number.to_le_bytes())
    }

    fn u32(self, number: u32) -> Self {
        self.bytes(&number.to_le_bytes())
    }

    fn u64(self, number: u64) -> Self {
        self.bytes(&number.to_le_bytes())
    }
}
