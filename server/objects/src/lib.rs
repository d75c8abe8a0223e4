//! The stored HTML reports, in a folder or a bucket. Each is one zip file under a random key, never under a name that a client
//! chose. Independent of HTTP and of the database.

mod aws_variables;
mod bucket;
pub mod byte_cache;
mod checking;
mod contents;
mod entry;
mod error;
mod files;
mod folder;
mod index;
mod key;
mod line_anchor;
mod local_header;
mod media_type;
mod object;
mod reports_url;
mod source_page;
mod staged;
mod start_page;
mod storage;
mod threads;
mod zip_writer;

pub use aws_variables::AwsVariables;
pub use bucket::{BucketError, StorageError};
pub use entry::{Entry, EntryReader};
pub use error::ReportsError;
pub use folder::Folder;
pub use media_type::{is_compressed, media_type};
pub use object::ReportObject;
pub use reports_url::{BucketUrl, ReportsUrl};
pub use staged::StagedReport;
pub use start_page::StartPage;
pub use threads::Threads;

use bucket::Bucket;
use byte_cache::{ByteCache, CacheUse};
use files::ReportsFolder;
use std::{
    env,
    error::Error,
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};
use storage::Storage;

/// The memory that the indexes of cached open reports may use.
const OPEN_REPORT_BYTES: usize = 32 << 20;

/// The most reports that stay open, each with a file handle.
const OPEN_REPORTS: usize = 128;

/// The number of locks for opening reports, chosen by key. A slow opening delays only the few reports with the same lock.
const OPENINGS: usize = 64;

/// All stored reports. Clones share the cache of open reports.
#[derive(Clone)]
pub struct Reports {
    storage: Storage,
    /// The folder for temporary files of uploads.
    scratch: Arc<Path>,
    open: Arc<ByteCache<String, Arc<ReportObject>>>,
    /// Held while a report is opened, so that concurrent requests for one report read its directory only once.
    openings: Arc<[Mutex<()>]>,
    checks: Threads,
}

impl Reports {
    /// Opens a folder of reports, creates it if missing, and removes the files of unfinished uploads. Fails if this folder or the
    /// scratch folder cannot be created or written to.
    pub fn in_folder(root: PathBuf, scratch: Option<&Path>) -> io::Result<Self> {
        let folder = ReportsFolder::open(root)?;
        let scratch = match scratch {
            Some(scratch) => usable(scratch)?,
            None => folder.incoming().into(),
        };
        Ok(Self::new(Storage::Folder(folder), scratch))
    }

    /// Opens the reports in a bucket, which must exist. Fails if the bucket cannot be used, or if the scratch folder cannot be
    /// created or written to.
    pub async fn in_bucket(
        url: &BucketUrl,
        variables: &AwsVariables,
        scratch: Option<&Path>,
    ) -> Result<Self, BucketError> {
        let scratch = match scratch {
            Some(scratch) => usable(scratch),
            None => usable(&env::temp_dir()),
        };
        let scratch = scratch.map_err(BucketError::Scratch)?;
        let bucket = Bucket::open(url, variables).await?;
        Ok(Self::new(Storage::Bucket(bucket), scratch))
    }

    /// Opens the reports in a folder or in a bucket.
    pub async fn open(
        url: &ReportsUrl,
        variables: &AwsVariables,
        scratch: Option<&Path>,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        Ok(match url {
            ReportsUrl::Folder(folder) => Self::in_folder(folder.clone(), scratch)?,
            ReportsUrl::Bucket(url) => Self::in_bucket(url, variables, scratch).await?,
        })
    }

    /// Like [`Self::open`], for commands. Does not create a folder: if it is missing, the setting is wrong.
    pub async fn open_existing(
        url: &ReportsUrl,
        variables: &AwsVariables,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        if let ReportsUrl::Folder(folder) = url
            && !folder.is_dir()
        {
            return Err("the folder does not exist; check REPORTS_URL".into());
        }
        Self::open(url, variables, None).await
    }

    fn new(storage: Storage, scratch: Arc<Path>) -> Self {
        Self {
            storage,
            scratch,
            open: Arc::new(ByteCache::new(OPEN_REPORT_BYTES, OPEN_REPORTS)),
            openings: (0..OPENINGS).map(|_| Mutex::default()).collect(),
            checks: Threads::limited(1),
        }
    }

    /// Starts a new report under `key`. It is removed when dropped, unless [`Self::store`] stores it. Blocks.
    pub fn stage(&self, key: &str) -> Result<StagedReport, ReportsError> {
        self.storage.stage(key, &self.scratch)
    }

    /// Returns a new random key.
    pub fn new_key() -> String {
        key::new()
    }

    /// Whether a text of another system is a key.
    pub fn is_key(text: &str) -> bool {
        key::is_key(text)
    }

    /// Makes a finished report durable and visible under its key, and returns its size in bytes. Blocks.
    ///
    /// # Errors
    ///
    /// If the storage fails or is full. A file may then remain under the key.
    pub fn store(&self, staged: StagedReport) -> Result<u64, ReportsError> {
        staged.store()
    }

    /// Returns a published report if it is already open.
    pub fn opened(&self, key: &str) -> Option<Arc<ReportObject>> {
        self.open.get(key)
    }

    /// Opens a published report. Blocks.
    pub fn get(&self, key: &str) -> Result<Arc<ReportObject>, ReportsError> {
        if let Some(object) = self.opened(key) {
            return Ok(object);
        }
        // The lock guards no data, so a panic cannot leave it inconsistent.
        let _alone = self
            .opening(key)
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(object) = self.opened(key) {
            return Ok(object);
        }
        let object = Arc::new(self.storage.open(key)?);
        self.open
            .put(key.to_owned(), object.clone(), object.memory());
        // A report that was removed in the meantime must not stay open.
        if self.storage.has_lost(key) {
            self.close(key);
        }
        Ok(object)
    }

    /// Returns the size of a published report in bytes. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Missing`] if the report does not exist, or the error of the storage.
    pub fn size(&self, key: &str) -> Result<u64, ReportsError> {
        self.storage.size(key)
    }

    /// Returns when a published report was written. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Missing`] if the report does not exist, or the error of the storage.
    pub fn modified(&self, key: &str) -> Result<SystemTime, ReportsError> {
        self.storage.modified(key)
    }

    /// Returns the keys of all published reports that start with these two digits, sorted. Files with other names do not belong
    /// to the service and are ignored. Blocks.
    pub fn keys(&self, shard: &str) -> Result<Vec<String>, ReportsError> {
        let mut keys = self.storage.keys(shard)?;
        keys.sort_unstable();
        Ok(keys)
    }

    /// Reads a published report to its end and compares it with its checksums. It does not stay open. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Damaged`], [`ReportsError::Missing`], or the error of the storage.
    pub fn check_report(&self, key: &str) -> Result<(), ReportsError> {
        self.storage.open(key)?.check()
    }

    /// Drops a report from the cache of open reports.
    pub fn close(&self, key: &str) {
        self.open.remove(key);
    }

    /// Removes a report that no record points to. Readers with an open file of the report can finish. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Missing`] if the report does not exist, or the error of the storage.
    pub fn remove(&self, key: &str) -> Result<(), ReportsError> {
        let removed = self.storage.remove(key);
        self.close(key);
        removed
    }

    /// Returns whether reports are files on a disk.
    pub fn are_files(&self) -> bool {
        matches!(self.storage, Storage::Folder(_))
    }

    /// Returns the threads for opening and reading reports.
    pub fn threads(&self) -> Threads {
        self.storage.threads()
    }

    /// Checks whether reports can be stored. For a folder, this writes a file of one byte; for a bucket, it only sends a request,
    /// because every write costs money. Only one check runs at a time, so that a check without an answer blocks only one thread.
    ///
    /// # Errors
    ///
    /// The reason why reports cannot be stored.
    pub async fn check(&self) -> Result<(), ReportsError> {
        let storage = self.storage.clone();
        let checked = self.checks.run(move || storage.check()).await;
        checked.unwrap_or_else(|panic| Err(io::Error::other(panic).into()))
    }

    /// Returns the usage of the cache of open reports.
    pub fn cache(&self) -> CacheUse {
        self.open.usage()
    }

    /// Waits until the storage has removed the parts of aborted uploads.
    pub async fn settle(&self) {
        if let Storage::Bucket(bucket) = &self.storage {
            bucket.close().await;
        }
    }

    fn opening(&self, key: &str) -> &Mutex<()> {
        let sum: usize = key.bytes().map(usize::from).sum();
        &self.openings[sum % self.openings.len()]
    }
}

/// Checks that files can be created in a folder. Creates the folder if it is missing.
fn usable(folder: &Path) -> io::Result<Arc<Path>> {
    let made = files::make_folder(folder).and_then(|()| tempfile::tempfile_in(folder));
    match made {
        Ok(_) => Ok(folder.into()),
        Err(error) => {
            let text = format!(
                "cannot use the scratch folder {}: {error}",
                folder.display()
            );
            Err(io::Error::new(error.kind(), text))
        }
    }
}

impl fmt::Debug for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reports")
            .field("storage", &self.storage)
            .finish_non_exhaustive()
    }
}
