//! A report that is being written: a zip file that is not visible yet.

use super::{
    ReportsError, bucket::ObjectUpload, files::StagedFile, is_compressed, zip_writer::ZipWriter,
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
    zip: ZipWriter<Staged>,
    scratch: Arc<Path>,
}

enum Staged {
    File(StagedFile),
    Object(ObjectUpload),
}

impl StagedReport {
    pub(super) fn in_file(file: StagedFile, key: &str, scratch: &Arc<Path>) -> Self {
        Self::new(Staged::File(file), key, scratch)
    }

    pub(super) fn in_bucket(object: ObjectUpload, key: &str, scratch: &Arc<Path>) -> Self {
        Self::new(Staged::Object(object), key, scratch)
    }

    fn new(staged: Staged, key: &str, scratch: &Arc<Path>) -> Self {
        Self {
            key: key.to_owned(),
            zip: ZipWriter::new(staged, scratch),
            scratch: scratch.clone(),
        }
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

    /// Makes the report durable and visible, and returns its size in bytes. Blocks.
    pub(super) fn store(self) -> Result<u64, ReportsError> {
        let (staged, bytes) = self.zip.finish()?;
        match staged {
            Staged::File(file) => file.finish()?,
            Staged::Object(object) => object.finish()?,
        }
        Ok(bytes)
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

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Object(object) => object.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Object(object) => object.flush(),
        }
    }
}
