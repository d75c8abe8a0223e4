//! The table of contents of a stored report. It is small enough to cache, because paths stay in the file.

use super::{ReportsError, contents::Contents};
use rawzip::{
    CompressionMethod, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipFileHeaderRecord, ZipLocator,
};
use std::hash::{BuildHasher, RandomState};

/// Finds entries by the hash of their path. The hash has a random key, so a client cannot cause collisions.
#[derive(Debug)]
pub(super) struct Index {
    hasher: RandomState,
    /// In the order of their hashes.
    slots: Box<[Slot]>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    hash: u64,
    pub(super) header_start: u64,
    pub(super) stored_size: u64,
    pub(super) size: u64,
    pub(super) crc32: u32,
    pub(super) deflated: bool,
}

impl Index {
    /// Reads the directory. Returns it with its position in the zip file. Blocks.
    pub(super) fn read(contents: &Contents) -> Result<(Self, u64), ReportsError> {
        let hasher = RandomState::new();
        let mut slots = Vec::new();
        let start = for_each_entry(contents, |path, entry| {
            slots.push(Slot {
                hash: hasher.hash_one(path),
                header_start: entry.local_header_offset(),
                stored_size: entry.compressed_size_hint(),
                size: entry.uncompressed_size_hint(),
                crc32: entry.crc32(),
                deflated: entry.compression_method() == CompressionMethod::DEFLATE,
            });
        })?;
        slots.sort_unstable_by_key(|slot| slot.hash);
        let index = Self {
            hasher,
            slots: slots.into(),
        };
        Ok((index, start))
    }

    /// Returns the entries that may have this path: nearly always one or none.
    pub(super) fn candidates(&self, path: &str) -> impl Iterator<Item = Slot> {
        let hash = self.hasher.hash_one(path.as_bytes());
        let first = self.slots.partition_point(|slot| slot.hash < hash);
        let slots = self.slots[first..].iter();
        slots.take_while(move |slot| slot.hash == hash).copied()
    }

    /// Returns all entries in the order of the file.
    pub(super) fn in_file_order(&self) -> Vec<Slot> {
        let mut slots = self.slots.to_vec();
        slots.sort_unstable_by_key(|slot| slot.header_start);
        slots
    }

    /// Returns whether the entry has the hash of this path.
    pub(super) fn is_named(&self, slot: &Slot, path: &[u8]) -> bool {
        self.hasher.hash_one(path) == slot.hash
    }

    /// Returns the memory in use, in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.slots)
    }
}

/// Reads the central directory in pieces, and returns its position. Blocks.
pub(super) fn for_each_entry(
    contents: &Contents,
    mut take: impl FnMut(&[u8], &ZipFileHeaderRecord<'_>),
) -> Result<u64, ReportsError> {
    let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let located =
        ZipLocator::new().locate_in_reader(contents.directory(), &mut buffer, contents.size());
    let archive = located.map_err(|(_, error)| error)?;
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry()? {
        take(entry.file_path().as_ref(), &entry);
    }
    Ok(archive.directory_offset())
}
