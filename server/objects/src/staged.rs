//! A report that is being written: a zip file that is not visible yet.

use super::{
    ReportsError, is_compressed,
    zip_writer::{Unpublished, ZipWriter},
};
use std::{
    fs::File,
    io::{self, Write},
    path::Path,
    sync::Arc,
};

/// An unfinished zip file. Dropping it removes it.
///
/// Written sequentially without seeking, as object storages require.
pub struct StagedReport {
    key: String,
    zip: ZipWriter<Box<dyn Unpublished>>,
    scratch: Arc<Path>,
}

impl StagedReport {
    pub(super) fn new(staged: Box<dyn Unpublished>, key: &str, scratch: &Arc<Path>) -> Self {
        Self {
            key: key.to_owned(),
            zip: ZipWriter::new(staged, scratch),
            scratch: scratch.clone(),
        }
    }

    pub(super) fn store(self) -> Result<u64, ReportsError> {
        let (staged, bytes) = self.zip.finish()?;
        staged.finish()?;
        Ok(bytes)
    }

    /// Returns the key of the report.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Starts the entry at `path`. The following writes are its content.
    pub fn begin_entry(&mut self, path: &str) -> Result<(), ReportsError> {
        Ok(self.zip.begin_entry(path, !is_compressed(path))?)
    }

    /// Creates a temporary file. It has no name, so it disappears with its last handle or with the process.
    pub fn scratch_file(&self) -> Result<File, ReportsError> {
        Ok(tempfile::tempfile_in(&self.scratch)?)
    }
}

impl Write for StagedReport {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.zip.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.zip.flush()
    }
}
