//! A published report: an open zip file, and finding entries in it.

use super::{Entry, EntryReader, ReportsError, index};
use std::{collections::HashMap, fs::File, os::unix::fs::FileExt, path::Path, sync::Arc};

/// Bytes of a local file header before its name (PKWARE APPNOTE, section 4.3.7).
const LOCAL_HEADER_BYTES: usize = 30;

/// A report that can be read by many at once.
#[derive(Debug)]
pub struct ReportObject {
    file: Arc<File>,
    entries: HashMap<Box<str>, Entry>,
}

impl ReportObject {
    pub(super) fn open(path: &Path) -> Result<Self, ReportsError> {
        let file = File::open(path)?;
        Ok(Self {
            entries: index::read(&file)?,
            file: Arc::new(file),
        })
    }

    /// The entry at exactly this path.
    pub fn entry(&self, path: &str) -> Option<Entry> {
        self.entries.get(path).copied()
    }

    /// All paths, in byte order.
    pub fn paths(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = self.entries.keys().map(AsRef::as_ref).collect();
        paths.sort_unstable();
        paths
    }

    /// Reads the stored bytes of an entry. Blocks.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn stored(&self, entry: Entry) -> Result<EntryReader, ReportsError> {
        let mut header = [0; LOCAL_HEADER_BYTES];
        self.file.read_exact_at(&mut header, entry.header_start)?;
        let length_at = |at: usize| u64::from(u16::from_le_bytes([header[at], header[at + 1]]));
        let start = entry.header_start + LOCAL_HEADER_BYTES as u64 + length_at(26) + length_at(28);
        Ok(EntryReader::new(
            self.file.clone(),
            start,
            entry.stored_size,
        ))
    }
}
