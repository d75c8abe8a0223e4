//! The first entries of a report, as they came. An archive without an HTML report has few files, and is dropped once they are read: to
//! deflate its coverage file would take longer than to read it.

use super::zip_writer::ZipWriter;
use std::{
    io::{self, Read, Seek, Write},
    path::Path,
};
use tempfile::SpooledTempFile;

const MOST_ENTRIES: usize = 4;

/// The size up to which a coverage file is held back. Few are larger.
const MOST_BYTES: u64 = 16 << 20;

const IN_MEMORY: usize = 64 << 10;

pub(crate) struct HeldBack {
    /// The paths and sizes of the entries.
    entries: Vec<(String, u64)>,
    content: SpooledTempFile,
    bytes: u64,
}

impl HeldBack {
    /// Content that is not small goes to an unlinked file in `folder`.
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            entries: Vec::new(),
            content: tempfile::spooled_tempfile_in(IN_MEMORY, folder),
            bytes: 0,
        }
    }

    /// Starts an entry. `false` if there are too many.
    pub(crate) fn begin_entry(&mut self, path: &str) -> bool {
        let has_room = self.entries.len() < MOST_ENTRIES;
        if has_room {
            self.entries.push((path.to_owned(), 0));
        }
        has_room
    }

    /// Adds to the entry started last. `false` if the bytes are too many.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<bool> {
        let all = self.bytes + bytes.len() as u64;
        let Some((_, size)) = self.entries.last_mut().filter(|_| all <= MOST_BYTES) else {
            return Ok(false);
        };
        self.content.write_all(bytes)?;
        self.bytes = all;
        *size += bytes.len() as u64;
        Ok(true)
    }

    /// Writes the entries to `zip`, which continues with the last of them.
    pub(crate) fn release<W: Write>(
        mut self,
        zip: &mut ZipWriter<W>,
        is_deflated: impl Fn(&str) -> bool,
    ) -> io::Result<()> {
        self.content.rewind()?;
        for (path, size) in &self.entries {
            zip.begin_entry(path, is_deflated(path))?;
            io::copy(&mut (&mut self.content).take(*size), zip)?;
        }
        Ok(())
    }
}
