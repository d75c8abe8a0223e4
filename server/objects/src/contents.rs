//! The bytes of a report, in a file or in a bucket: finds the directory and the content of entries.

use super::{
    EntryReader,
    bucket::{Directory, ObjectReader, StoredObject},
    entry::{FileRange, Stored},
    local_header::LocalHeader,
};
use rawzip::{FileReader, ReaderAt};
use std::{io, sync::Arc};

/// A zip file on a disk or in a bucket.
#[derive(Debug)]
pub(super) enum Contents {
    File {
        file: Arc<FileReader>,
        size: u64,
    },
    Object {
        object: Arc<StoredObject>,
        directory: Directory,
    },
}

impl Contents {
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::File { size, .. } => *size,
            Self::Object { object, .. } => object.size,
        }
    }

    /// Drops the cached bytes before the directory, which starts at `directory_start`.
    pub(super) fn forget_before(&mut self, directory_start: u64) {
        if let Self::Object { object, directory } = self {
            directory.trim(directory_start, object.size);
        }
    }

    /// Returns a reader at any position, which is fast in the directory.
    pub(super) fn directory(&self) -> Box<dyn ReaderAt + '_> {
        match self {
            Self::File { file, .. } => Box::new(file),
            Self::Object { object, directory } => Box::new(directory.reader(object)),
        }
    }

    /// Returns the position of an entry's content, if the header at `header_start` has this path. Blocks.
    ///
    /// In a bucket, the header is read together with the content. Until then, the hash of the path is trusted.
    pub(super) fn start_of(&self, header_start: u64, path: &str) -> io::Result<Option<u64>> {
        let length = LocalHeader::BYTES + path.len();
        let start = header_start.checked_add(length as u64);
        let start = start.filter(|start| *start <= self.size());
        let start = start.ok_or(io::ErrorKind::UnexpectedEof)?;
        let Self::File { file, .. } = self else {
            return Ok(Some(start));
        };
        let mut bytes = vec![0; length];
        file.read_exact_at(&mut bytes, header_start)?;
        let (header, name) = bytes.split_at(LocalHeader::BYTES);
        let header = LocalHeader::read(header).filter(|header| {
            usize::from(header.name_length) == name.len() && name == path.as_bytes()
        });
        Ok(header.map(|header| start + u64::from(header.extra_length)))
    }

    /// Returns a reader of a range: the content of the entry whose header is at `header_start`, or any other bytes.
    pub(super) fn range(&self, header_start: Option<u64>, start: u64, length: u64) -> EntryReader {
        EntryReader(match self {
            Self::File { file, .. } => Stored::File(FileRange {
                file: file.clone(),
                position: start,
                left: length,
            }),
            Self::Object { object, .. } => {
                let object = object.clone();
                Stored::Object(ObjectReader::new(object, header_start, start, length).into())
            }
        })
    }

    /// Returns the memory in use, in bytes.
    pub(super) fn memory(&self) -> usize {
        match self {
            Self::File { .. } => 0,
            Self::Object { directory, .. } => directory.memory(),
        }
    }
}
