//! A report while it is being written: a zip file that is not visible yet.

use super::{ReportsError, is_compressed, zip_writer::ZipWriter};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};
use tempfile::{NamedTempFile, TempPath};

/// Large enough that writing is no longer what an upload waits for.
const BUFFER_BYTES: usize = 256 << 10;

/// A zip file in the making. Dropping it removes it.
///
/// Written front to back without seeking, so that it can go to an object store as well as to a file.
pub struct StagedReport {
    zip: ZipWriter<BufWriter<File>>,
    path: TempPath,
}

impl StagedReport {
    pub(super) fn begin(folder: &Path) -> Result<Self, ReportsError> {
        let (file, path) = NamedTempFile::new_in(folder)?.into_parts();
        // A service that starts beside this one sweeps what nobody has locked.
        file.lock()?;
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        Ok(Self {
            zip: ZipWriter::new(file, folder),
            path,
        })
    }

    /// Begins the entry at `path`; what is written next is its content.
    ///
    /// # Errors
    ///
    /// When the disk fails or is full.
    pub fn begin_entry(&mut self, path: &str) -> Result<(), ReportsError> {
        Ok(self.zip.begin_entry(path, !is_compressed(path))?)
    }

    /// A file beside it for whoever needs one meanwhile. It has no name, so that it is gone with its last handle or the process.
    ///
    /// # Errors
    ///
    /// When it cannot be made.
    pub fn scratch_file(&self) -> Result<File, ReportsError> {
        let folder = self.path.parent().unwrap_or(&self.path);
        Ok(tempfile::tempfile_in(folder)?)
    }

    pub(super) fn finish(self, path: &Path) -> Result<(), ReportsError> {
        let file = self
            .zip
            .finish()?
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        self.path.persist(path).map_err(|error| error.error)?;
        Ok(())
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
