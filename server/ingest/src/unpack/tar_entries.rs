//! Reads the entries of a tar stream: V7, ustar, GNU and pax.

mod description;

use super::{
    corrupt,
    pass::{EntryHead, EntryKind},
};
use crate::{IngestError, archive::BLOCK_BYTES, meter::Meter};
use description::Description;
use std::io::{self, Read};
use tar::{Archive, Entry, EntryType};

const SPARSE: &str = "is a sparse file; pack without --sparse";

/// Processes the entries of a tar.
pub(crate) trait TarPass {
    /// Processes one entry.
    fn entry(&mut self, head: EntryHead<'_>, content: impl Read) -> Result<(), IngestError>;

    /// Checks a size that differs from the size of the entry.
    fn check_size(&self, size: u64) -> Result<(), IngestError>;
}

/// Passes every entry to `pass`, and reads the stream to its end. An archive without an end marker is refused.
pub(crate) fn take_all(
    stream: impl Read,
    meter: &Meter,
    pass: &mut impl TarPass,
) -> Result<(), IngestError> {
    let mut archive = Archive::new(stream);
    let entries = archive.entries().map_err(|error| meter.explain(error))?;
    let mut description = Description::default();
    let mut end = 0;
    meter.in_headers();
    // Raw, because the crate reads extended headers leniently; see `pax`.
    for entry in entries.raw(true) {
        let mut entry = entry.map_err(|error| meter.explain(error))?;
        end = entry.raw_file_position() + entry.size().next_multiple_of(BLOCK_BYTES as u64);
        if description.read(&mut entry, meter)? {
            continue;
        }
        meter.in_entry();
        read_entry(&description, entry, pass)?;
        description = Description::default();
        meter.in_headers();
    }
    meter.in_entry();
    if description != Description::default() {
        return Err(corrupt("an extended header describes a missing entry"));
    }
    check_end(archive.into_inner(), meter, end)
}

fn read_entry(
    description: &Description,
    entry: Entry<'_, impl Read>,
    pass: &mut impl TarPass,
) -> Result<(), IngestError> {
    let stated = entry.path_bytes().into_owned();
    let path = description.path.as_deref().unwrap_or(&stated);
    let stated = entry.link_name_bytes().unwrap_or_default().into_owned();
    let target = description.link.as_deref().unwrap_or(&stated);
    let size = description.size.unwrap_or(entry.size());
    let kind = kind_of(entry.header().entry_type(), path, target);
    let kind = match kind {
        EntryKind::Other(_) => kind,
        _ if description.is_sparse => EntryKind::Other(SPARSE),
        // Every acceptable size fits into the entry's own header.
        _ if size != entry.size() => {
            pass.check_size(size)?;
            EntryKind::Other("has two different sizes; pack the archive again")
        }
        _ => kind,
    };
    pass.entry(EntryHead { path, size, kind }, entry)
}

fn kind_of<'a>(kind: EntryType, path: &[u8], target: &'a [u8]) -> EntryKind<'a> {
    match kind {
        // V7 has no other way to mark a folder.
        EntryType::Regular if path.ends_with(b"/") => EntryKind::Folder,
        EntryType::Regular | EntryType::Continuous => EntryKind::File,
        EntryType::Directory => EntryKind::Folder,
        EntryType::Link => EntryKind::HardLink { target },
        EntryType::Symlink => EntryKind::Other("is a link; pack with tar --dereference"),
        EntryType::GNUSparse => EntryKind::Other(SPARSE),
        _ => EntryKind::Other("is neither a file nor a folder; leave it out"),
    }
}

/// An archive ends with a block of zeros; an archive without it was cut off. The bytes after the zeros are padding. They are read
/// to the end, because the checksum of a compressed stream is there.
fn check_end(mut stream: impl Read, meter: &Meter, end_of_entries: u64) -> Result<(), IngestError> {
    if meter.unpacked() <= end_of_entries {
        return Err(corrupt("the end of the archive is missing"));
    }
    io::copy(&mut stream, &mut io::sink()).map_err(|error| meter.explain(error))?;
    Ok(())
}
