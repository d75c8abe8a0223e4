//! A published report: an open zip file in which entries can be found.

use super::{
    Entry, EntryReader, ReportsError,
    bucket::{Directory, StoredObject},
    contents::Contents,
    index::Index,
};
use std::{fs::File, io, path::Path, time::SystemTime};

/// An open report. It supports concurrent reads.
#[derive(Debug)]
pub struct ReportObject {
    pub(super) contents: Contents,
    pub(super) index: Index,
    modified: SystemTime,
}

impl ReportObject {
    pub(super) fn in_file(path: &Path) -> Result<Self, ReportsError> {
        let file = File::open(path)?;
        let about = file.metadata()?;
        let (file, size) = (file.into(), about.len());
        Self::open(Contents::File { file, size }, about.modified()?)
    }

    pub(super) fn in_bucket(object: StoredObject) -> Result<Self, ReportsError> {
        let modified = object.modified;
        let directory = Directory::fetch(&object)?;
        let object = object.into();
        Self::open(Contents::Object { object, directory }, modified)
    }

    fn open(mut contents: Contents, modified: SystemTime) -> Result<Self, ReportsError> {
        let (index, directory_start) = Index::read(&contents)?;
        contents.forget_before(directory_start);
        Ok(Self {
            contents,
            index,
            modified,
        })
    }

    /// Returns the entry with exactly this path. Blocks.
    pub fn entry(&self, path: &str) -> Result<Option<Entry>, ReportsError> {
        for slot in self.index.candidates(path) {
            if let Some(start) = self.contents.start_of(slot.header_start, path)? {
                return Ok(Some(Entry {
                    header_start: slot.header_start,
                    start,
                    stored_size: slot.stored_size,
                    size: slot.size,
                    crc32: slot.crc32,
                    deflated: slot.deflated,
                }));
            }
        }
        Ok(None)
    }

    /// Returns a reader of the stored bytes of an entry.
    pub fn stored(&self, entry: Entry) -> EntryReader {
        let header_start = Some(entry.header_start);
        self.contents
            .range(header_start, entry.start, entry.stored_size)
    }

    /// Returns a reader of the whole zip file.
    pub fn whole(&self) -> EntryReader {
        self.contents.range(None, 0, self.size())
    }

    /// Returns the size of the zip file in bytes.
    pub fn size(&self) -> u64 {
        self.contents.size()
    }

    /// Returns when the report was written.
    pub fn modified(&self) -> SystemTime {
        self.modified
    }

    /// Returns the memory in use, in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of::<Self>() + self.index.memory() + self.contents.memory()
    }
}

impl From<rawzip::Error> for ReportsError {
    fn from(error: rawzip::Error) -> Self {
        match error.kind() {
            rawzip::ErrorKind::IO(_) => match error.into_kind() {
                rawzip::ErrorKind::IO(cause) => cause.into(),
                kind => Self::Io(io::Error::other(kind.to_string())),
            },
            _ => Self::Damaged(error.into()),
        }
    }
}

#[cfg(test)]
mod tests;
