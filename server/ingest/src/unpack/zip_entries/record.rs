//! Reads a record in the directory of a zip: the entry's path, and whether the entry is accepted.

use crate::unpack::pass::EntryKind;
use rawzip::{
    CompressionMethod, CreatorSystem, ZipFileHeaderRecord, ZipLocalFileHeader,
    extra_fields::ExtraFieldId,
};
use std::borrow::Cow;

/// The file type in a Unix mode. The mode is the upper half of the external attributes.
const FILE_TYPE: u32 = 0o170_000;
const REGULAR_FILE: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;
const SYMLINK: u32 = 0o120_000;

/// The attribute of a folder in MS-DOS.
const DOS_FOLDER: u32 = 0x10;

/// Bytes before the name in Info-ZIP's extra field for names: a version and a checksum (APPNOTE, section 4.6.9).
const UNICODE_PATH_PREFIX: usize = 5;

/// Returns the path. Backslashes written on Windows become slashes; PowerShell 5 writes such paths.
pub(super) fn path<'a>(record: &ZipFileHeaderRecord<'a>) -> Cow<'a, [u8]> {
    let path = record.file_path().as_bytes();
    if is_of_windows(record) && path.contains(&b'\\') && !path.contains(&b'/') {
        let slashed = path.iter().map(|&byte| match byte {
            b'\\' => b'/',
            other => other,
        });
        return Cow::Owned(slashed.collect());
    }
    Cow::Borrowed(path)
}

pub(super) fn kind(
    record: &ZipFileHeaderRecord<'_>,
    local: &ZipLocalFileHeader<'_>,
    is_alone: bool,
) -> EntryKind<'static> {
    if !is_alone {
        return EntryKind::Other("shares its bytes with another entry; pack the archive again");
    }
    if is_encrypted(record) || local.flags().is_encrypted() {
        return EntryKind::Other("is encrypted; pack it without a password");
    }
    if !agree(record, local) {
        return EntryKind::Other(
            "has a header that differs from the zip's directory; pack the archive again",
        );
    }
    let attributes = record.external_attributes();
    match (attributes >> 16) & FILE_TYPE {
        SYMLINK => return EntryKind::Other("is a link; pack with zip without --symlinks"),
        FOLDER => return EntryKind::Folder,
        0 | REGULAR_FILE => {}
        _ => return EntryKind::Other("is neither a file nor a folder; leave it out"),
    }
    if path(record).ends_with(b"/") || attributes & DOS_FOLDER != 0 {
        return EntryKind::Folder;
    }
    match record.compression_method() {
        CompressionMethod::STORE | CompressionMethod::DEFLATE => EntryKind::File,
        _ => EntryKind::Other("is not compressed with deflate; pack it with deflate"),
    }
}

fn is_of_windows(record: &ZipFileHeaderRecord<'_>) -> bool {
    matches!(
        record.version_made_by().creator_system(),
        CreatorSystem::FAT | CreatorSystem::NTFS | CreatorSystem::MVS | CreatorSystem::VFAT
    )
}

fn is_encrypted(record: &ZipFileHeaderRecord<'_>) -> bool {
    let flags = record.flags();
    flags.is_encrypted() || flags.has_strong_encryption() || flags.is_masked()
}

/// Returns whether the header before the content agrees with the directory: tools differ in which one they use.
fn agree(record: &ZipFileHeaderRecord<'_>, local: &ZipLocalFileHeader<'_>) -> bool {
    let name = record.file_path().as_bytes();
    // If a data descriptor follows the content, the header before the content was written before these values were known.
    let is_described_later =
        record.flags().has_data_descriptor() || local.flags().has_data_descriptor();
    local.file_path().as_bytes() == name
        && local.compression_method() == record.compression_method()
        && (is_described_later
            || (local.crc32() == record.crc32()
                && local.compressed_size_hint() == record.compressed_size_hint()
                && local.uncompressed_size_hint() == record.uncompressed_size_hint()))
        && [record.extra_fields(), local.extra_fields()]
            .into_iter()
            .flatten()
            .filter(|(id, _)| *id == ExtraFieldId::INFO_ZIP_UNICODE_PATH)
            .all(|(_, field)| field.get(UNICODE_PATH_PREFIX..) == Some(name))
}
