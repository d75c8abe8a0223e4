//! A report while it is being written: a zip file that is not visible yet.

use super::{ReportsError, is_compressed};
use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};
use tempfile::{NamedTempFile, TempPath};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions, write::StreamWriter};

/// Large enough that writing is no longer what an upload waits for.
const BUFFER_BYTES: usize = 256 << 10;

/// A zip file in the making. Dropping it removes it.
///
/// Written front to back without seeking, so that it can go to an object store as well as to a file.
pub struct StagedReport {
    zip: ZipWriter<StreamWriter<BufWriter<File>>>,
    path: TempPath,
}

impl StagedReport {
    pub(super) fn begin(folder: &Path) -> Result<Self, ReportsError> {
        let (file, path) = NamedTempFile::new_in(folder)?.into_parts();
        Ok(Self {
            zip: ZipWriter::new_stream(BufWriter::with_capacity(BUFFER_BYTES, file)),
            path,
        })
    }

    /// Begins the entry at `path`; what is written next is its content.
    ///
    /// # Errors
    ///
    /// When the disk fails or is full.
    pub fn begin_entry(&mut self, path: &str) -> Result<(), ReportsError> {
        let method = if is_compressed(path) {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        // Level 1: reports shrink to nearly the same size as with 6, in a third of the time.
        let level = (method == CompressionMethod::Deflated).then_some(1);
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .compression_level(level);
        Ok(self.zip.start_file(path, options)?)
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
