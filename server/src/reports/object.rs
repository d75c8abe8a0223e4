//! A published report: an open zip file, and finding entries in it.

use super::{Entry, EntryReader, ReportsError, index::Index};
use std::{fs::File, io, os::unix::fs::FileExt, path::Path, sync::Arc, time::SystemTime};

/// Bytes of a local file header before its name (PKWARE APPNOTE, section 4.3.7), and where in it two lengths stand.
const LOCAL_HEADER_BYTES: usize = 30;
const NAME_LENGTH: usize = 26;
const EXTRA_LENGTH: usize = 28;

/// A report that can be read by many at once.
#[derive(Debug)]
pub struct ReportObject {
    pub(super) file: Arc<File>,
    index: Index,
    size: u64,
    modified: SystemTime,
}

impl ReportObject {
    pub(super) fn open(path: &Path) -> Result<Self, ReportsError> {
        let file = File::open(path)?;
        let about = file.metadata()?;
        Ok(Self {
            index: Index::read(&file)?,
            size: about.len(),
            modified: about.modified()?,
            file: Arc::new(file),
        })
    }

    /// The entry at exactly this path. Blocks.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn entry(&self, path: &str) -> Result<Option<Entry>, ReportsError> {
        for slot in self.index.candidates(path) {
            let mut header = vec![0; LOCAL_HEADER_BYTES + path.len()];
            self.file.read_exact_at(&mut header, slot.header_start)?;
            let (fixed, name) = header.split_at(LOCAL_HEADER_BYTES);
            let length_at = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
            let name_length = usize::from(length_at(NAME_LENGTH));
            if name_length != path.len() || name != path.as_bytes() {
                continue;
            }
            let start = header.len() as u64 + u64::from(length_at(EXTRA_LENGTH));
            return Ok(Some(Entry {
                start: slot.header_start + start,
                stored_size: slot.stored_size,
                size: slot.size,
                crc32: slot.crc32,
                deflated: slot.deflated,
            }));
        }
        Ok(None)
    }

    /// The stored bytes of an entry.
    pub fn stored(&self, entry: Entry) -> EntryReader {
        EntryReader::new(self.file.clone(), entry.start, entry.stored_size)
    }

    /// The zip file itself.
    pub fn whole(&self) -> EntryReader {
        EntryReader::new(self.file.clone(), 0, self.size)
    }

    /// Bytes of the zip file.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// When it was written.
    pub fn modified(&self) -> SystemTime {
        self.modified
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        size_of::<Self>() + self.index.memory()
    }
}

impl From<rawzip::Error> for ReportsError {
    fn from(error: rawzip::Error) -> Self {
        match error.kind() {
            rawzip::ErrorKind::IO(_) => Self::Io(io::Error::other(error)),
            _ => Self::Damaged(error.into()),
        }
    }
}

#[cfg(test)]
mod tests;
