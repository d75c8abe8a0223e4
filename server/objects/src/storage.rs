//! Reports in their storage, a folder or a bucket.

use super::{
    ReportObject, Reports, ReportsError,
    bucket::Bucket,
    files::ReportsFolder,
    held_back::HeldBack,
    is_compressed,
    threads::Threads,
    zip_writer::{Unpublished, ZipWriter},
};
use std::{
    fs::File,
    io::{self, Write},
    path::Path,
    sync::Arc,
    time::SystemTime,
};
use tokio::task::spawn_blocking;

/// The storage. Clones share it.
#[derive(Clone, Debug)]
pub(super) enum Storage {
    Folder(ReportsFolder),
    Bucket(Bucket),
}

impl Reports {
    /// Starts a new report under `key`. It is removed when dropped, unless [`Self::store`] stores it. Blocks.
    pub fn stage(&self, key: &str) -> Result<StagedReport, ReportsError> {
        let staged: Box<dyn Unpublished> = match &self.storage {
            Storage::Folder(folder) => Box::new(folder.stage(key)?),
            Storage::Bucket(bucket) => Box::new(bucket.upload(key)),
        };
        Ok(StagedReport {
            key: key.to_owned(),
            zip: ZipWriter::new(staged, &self.scratch),
            held_back: Some(HeldBack::new(&self.scratch)),
            scratch: self.scratch.clone(),
        })
    }

    /// Makes a finished report durable and visible under its key, and returns its size in bytes. Blocks.
    ///
    /// # Errors
    ///
    /// If the storage fails or is full. A file may then remain under the key.
    pub fn store(&self, mut staged: StagedReport) -> Result<u64, ReportsError> {
        staged.release()?;
        let (staged, bytes) = staged.zip.finish()?;
        staged.finish()?;
        Ok(bytes)
    }

    /// Opens a published report without adding it to the cache of open reports. [`ReportsError::Missing`] if it does not exist.
    /// Blocks.
    pub(super) fn open_alone(&self, key: &str) -> Result<ReportObject, ReportsError> {
        self.unless_all_are_missing(|| match &self.storage {
            Storage::Folder(folder) => ReportObject::in_file(&folder.path(key)),
            Storage::Bucket(bucket) => ReportObject::in_bucket(bucket.object(key)?),
        })
    }

    /// Returns whether the file of a report no longer exists, so that its open copy must be closed. A bucket is not asked, so the
    /// result is `false`: if the object is gone, the next read fails, and the caller closes the report then. Blocks.
    pub(super) fn has_lost(&self, key: &str) -> bool {
        matches!(&self.storage, Storage::Folder(folder) if !folder.path(key).exists())
    }

    /// Removes a report that no record points to. Readers with an open file of the report can finish. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Missing`] if the report does not exist, or the error of the storage.
    pub fn remove(&self, key: &str) -> Result<(), ReportsError> {
        let removed = self.unless_all_are_missing(|| match &self.storage {
            Storage::Folder(folder) => Ok(folder.remove(key)?),
            Storage::Bucket(bucket) => Ok(bucket.remove(key)?),
        });
        self.close(key);
        removed
    }

    /// Returns the size of a published report in bytes.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Missing`] if the report does not exist, or the error of the storage.
    pub async fn size(&self, key: &str) -> Result<u64, ReportsError> {
        let (reports, key) = (self.clone(), key.to_owned());
        // This takes no permit of readers: an upload that asks for sizes while it frees space must not wait for slow readers.
        let about = spawn_blocking(move || reports.about(&key)).await;
        let about = about.unwrap_or_else(|panic| Err(io::Error::other(panic).into()));
        about.map(|(size, _)| size)
    }

    /// Returns when a published report was written. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Missing`] if the report does not exist, or the error of the storage.
    pub fn modified(&self, key: &str) -> Result<SystemTime, ReportsError> {
        Ok(self.about(key)?.1)
    }

    fn about(&self, key: &str) -> Result<(u64, SystemTime), ReportsError> {
        self.unless_all_are_missing(|| match &self.storage {
            Storage::Folder(folder) => {
                let about = folder.path(key).metadata()?;
                Ok((about.len(), about.modified()?))
            }
            Storage::Bucket(bucket) => {
                let object = bucket.object(key)?;
                Ok((object.size, object.modified))
            }
        })
    }

    /// Returns the keys of all published reports that start with these two digits, sorted. Files with other names do not belong
    /// to the service and are ignored. Blocks.
    pub fn keys(&self, shard: &str) -> Result<Vec<String>, ReportsError> {
        let names = match &self.storage {
            Storage::Folder(folder) => folder.names(shard)?,
            Storage::Bucket(bucket) => bucket.names(shard)?,
        };
        let key_of = |name: &String| name.strip_suffix(".zip").map(str::to_owned);
        let keys = names.iter().filter_map(key_of);
        let mut keys: Vec<_> = keys.filter(|key| key.starts_with(shard)).collect();
        keys.sort_unstable();
        Ok(keys)
    }

    /// Replaces [`ReportsError::Missing`] by another error if the storage itself is missing, such as a disk that is not mounted
    /// or a removed bucket. Blocks.
    fn unless_all_are_missing<T>(
        &self,
        find: impl FnOnce() -> Result<T, ReportsError>,
    ) -> Result<T, ReportsError> {
        let found = find();
        if let Err(ReportsError::Missing) = found {
            match &self.storage {
                Storage::Folder(folder) => folder.is_there()?,
                Storage::Bucket(bucket) => bucket.is_there()?,
            }
        }
        found
    }

    /// Returns whether reports are files on a disk.
    pub fn are_files(&self) -> bool {
        matches!(self.storage, Storage::Folder(_))
    }

    /// Returns the threads for opening and reading reports.
    pub fn threads(&self) -> Threads {
        match &self.storage {
            Storage::Folder(_) => Threads::default(),
            Storage::Bucket(bucket) => bucket.threads.clone(),
        }
    }

    /// Waits until the storage has removed the parts of aborted uploads.
    pub async fn settle(&self) {
        if let Storage::Bucket(bucket) = &self.storage {
            bucket.close().await;
        }
    }
}

/// An unfinished zip file. Dropping it removes it.
///
/// Written sequentially without seeking, as object storages require.
pub struct StagedReport {
    /// The key of the report.
    pub key: String,
    zip: ZipWriter<Box<dyn Unpublished>>,
    held_back: Option<HeldBack>,
    scratch: Arc<Path>,
}

impl StagedReport {
    /// Starts the entry at `path`. The following writes are its content.
    pub fn begin_entry(&mut self, path: &str) -> Result<(), ReportsError> {
        if let Some(held_back) = &mut self.held_back {
            // With a page, the archive has an HTML report. Held back, it would take its size twice on the disk.
            let is_page = path.ends_with(".html") || path.ends_with(".htm");
            if !is_page && !is_compressed(path) && held_back.begin_entry(path) {
                return Ok(());
            }
            self.release()?;
        }
        Ok(self.zip.begin_entry(path, !is_compressed(path))?)
    }

    fn release(&mut self) -> io::Result<()> {
        let held_back = self.held_back.take();
        held_back.map_or(Ok(()), |held_back| {
            held_back.release(&mut self.zip, |path| !is_compressed(path))
        })
    }

    /// Creates a temporary file. It has no name, so it disappears with its last handle or with the process.
    pub fn scratch_file(&self) -> Result<File, ReportsError> {
        Ok(tempfile::tempfile_in(&self.scratch)?)
    }
}

impl Write for StagedReport {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(held_back) = &mut self.held_back {
            if held_back.write(bytes)? {
                return Ok(bytes.len());
            }
            self.release()?;
        }
        self.zip.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.zip.flush()
    }
}
