//! The bytes of a report, in a file or in an object: finding its directory, and where an entry's content is.

use super::{
    Entry, EntryReader, ReportsError,
    storage::{Directory, DirectoryReader, ObjectReader, StoredObject},
};
use rawzip::ReaderAt;
use std::{fs::File, io, os::unix::fs::FileExt, sync::Arc};

/// Bytes of a local file header before its name (PKWARE APPNOTE, section 4.3.7), and where in it two lengths stand.
pub(super) const LOCAL_HEADER_BYTES: usize = 30;
pub(super) const NAME_LENGTH: usize = 26;
pub(super) const EXTRA_LENGTH: usize = 28;

/// A zip file, wherever it is.
#[derive(Debug)]
pub(super) enum Contents {
    File {
        file: Arc<File>,
        size: u64,
    },
    Object {
        object: Arc<StoredObject>,
        directory: Directory,
    },
}

impl Contents {
    pub(super) fn of_file(file: File, size: u64) -> Self {
        let file = Arc::new(file);
        Self::File { file, size }
    }

    pub(super) fn of_object(object: StoredObject) -> Result<Self, ReportsError> {
        Ok(Self::Object {
            directory: Directory::fetch(&object)?,
            object: Arc::new(object),
        })
    }

    pub(super) fn size(&self) -> u64 {
        match self {
            Self::File { size, .. } => *size,
            Self::Object { object, .. } => object.size(),
        }
    }

    /// Says where the directory begins: nothing before it will be looked for in memory.
    pub(super) fn forget_before(&mut self, directory_start: u64) {
        if let Self::Object { object, directory } = self {
            directory.trim(directory_start, object.size());
        }
    }

    /// A reader for whoever looks for the directory and reads it.
    pub(super) fn directory(&self) -> ContentsReader<'_> {
        match self {
            Self::File { file, .. } => ContentsReader::File(file),
            Self::Object { object, directory } => ContentsReader::Object(directory.reader(object)),
        }
    }

    /// Where the content of the entry with this path begins, if its header at `header_start` names it. Blocks.
    ///
    /// An object's header is read together with the content, and until then what the path's hash says is believed.
    pub(super) fn start_of(&self, header_start: u64, path: &str) -> io::Result<Option<u64>> {
        let length = LOCAL_HEADER_BYTES + path.len();
        let Self::File { file, .. } = self else {
            return Ok(Some(header_start + length as u64));
        };
        let mut header = vec![0; length];
        file.read_exact_at(&mut header, header_start)?;
        let (fixed, name) = header.split_at(LOCAL_HEADER_BYTES);
        let length_at = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
        let is_named = usize::from(length_at(NAME_LENGTH)) == path.len() && name == path.as_bytes();
        let start = header_start + length as u64 + u64::from(length_at(EXTRA_LENGTH));
        Ok(is_named.then_some(start))
    }

    /// The stored bytes of an entry.
    pub(super) fn stored(&self, entry: Entry) -> EntryReader {
        match self {
            Self::File { file, .. } => {
                EntryReader::in_file(file.clone(), entry.start, entry.stored_size)
            }
            Self::Object { object, .. } => EntryReader::in_object(ObjectReader::entry(
                object.clone(),
                entry.header_start,
                entry.start,
                entry.stored_size,
            )),
        }
    }

    /// All bytes.
    pub(super) fn whole(&self) -> EntryReader {
        match self {
            Self::File { file, size } => EntryReader::in_file(file.clone(), 0, *size),
            Self::Object { object, .. } => {
                EntryReader::in_object(ObjectReader::whole(object.clone()))
            }
        }
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        match self {
            Self::File { .. } => 0,
            Self::Object { directory, .. } => directory.memory(),
        }
    }
}

/// Reads at any place.
pub(super) enum ContentsReader<'a> {
    File(&'a File),
    Object(DirectoryReader<'a>),
}

impl ReaderAt for ContentsReader<'_> {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        match self {
            Self::File(file) => FileExt::read_at(*file, buffer, at),
            Self::Object(object) => object.read_at(buffer, at),
        }
    }
}
