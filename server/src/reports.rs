//! Uploaded reports: each is one zip file under a random key, never under a name that a client chose. Knows no HTTP.

pub(crate) mod byte_cache;
mod checking;
mod contents;
pub(crate) mod deletion;
mod entry;
mod error;
mod folder;
mod index;
mod local_header;
mod media_type;
mod object;
pub(crate) mod removal;
pub mod retention;
mod staged;
mod start_page;
mod storage;
pub mod sweeper;
mod threads;
mod zip_writer;

pub use entry::{Entry, EntryReader};
pub use error::ReportsError;
pub use folder::Folder;
pub use media_type::{is_compressed, media_type};
pub use object::ReportObject;
pub use staged::StagedReport;
pub use start_page::StartPage;
pub use storage::{BucketError, StorageError};
pub use threads::Threads;

use crate::{
    config::{AwsVariables, BucketUrl, ReportsUrl},
    reports::byte_cache::{ByteCache, CacheUse},
    store::private_files,
};
use std::{
    env,
    error::Error,
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};
use storage::{Bucket, ReportsFolder, Storage};

/// Opened reports that are kept: how much memory their indexes may take together, and how many file handles.
const OPEN_REPORT_BYTES: usize = 32 << 20;
const OPEN_REPORTS: usize = 128;

/// Reports that may be opened at once, told by their keys: one that takes its time holds up few others.
const OPENINGS: usize = 64;

/// All uploaded reports. Clones share what is open.
#[derive(Clone)]
pub struct Reports {
    storage: Storage,
    /// The folder of files that an upload needs for a while.
    scratch: Arc<Path>,
    open: Arc<ByteCache<String, Arc<ReportObject>>>,
    /// Held while a report is opened: many who want the same one would otherwise each read its whole table of contents.
    openings: Arc<[Mutex<()>]>,
    checks: Threads,
}

impl Reports {
    /// Opens a folder of reports, makes it when absent, and removes what unfinished uploads left behind.
    ///
    /// # Errors
    ///
    /// When the folder, or the one for scratch files, cannot be made or written to.
    pub fn in_folder(root: PathBuf, scratch: Option<&Path>) -> io::Result<Self> {
        let folder = ReportsFolder::open(root)?;
        let scratch = match scratch {
            Some(scratch) => usable(scratch)?,
            None => folder.incoming().into(),
        };
        Ok(Self::new(Storage::Folder(folder), scratch))
    }

    /// Opens the reports in a bucket, which has to be there.
    ///
    /// # Errors
    ///
    /// When the bucket cannot be used, or the folder for scratch files cannot be made or written to.
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

    /// Opens the reports at either kind of place.
    ///
    /// # Errors
    ///
    /// As those of [`Self::in_folder`] and [`Self::in_bucket`].
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

    /// The same for a command beside the service, which makes no folder: one that is not there is a mistake.
    ///
    /// # Errors
    ///
    /// As those of [`Self::open`], and where there is no folder.
    pub async fn open_existing(
        url: &ReportsUrl,
        variables: &AwsVariables,
    ) -> Result<Self, Box<dyn Error + Send + Sync>> {
        if let ReportsUrl::Folder(folder) = url
            && !folder.is_dir()
        {
            return Err("there is no folder at this place; check REPORTS_URL".into());
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

    /// Begins a new report under `key`; it is gone again unless it is [stored](Self::store). Blocks.
    ///
    /// # Errors
    ///
    /// When the file cannot be made.
    pub fn stage(&self, key: &str) -> Result<StagedReport, ReportsError> {
        self.storage.stage(key, &self.scratch)
    }

    /// A key that no report has had.
    pub fn new_key() -> String {
        let random: u128 = rand::random();
        format!("{random:032x}")
    }

    /// Makes a finished report durable and visible under its key, and returns its bytes. Blocks.
    ///
    /// # Errors
    ///
    /// When the storage fails or is full. Something may be left under the key then.
    pub fn store(&self, staged: StagedReport) -> Result<u64, ReportsError> {
        staged.store()
    }

    /// A published report that is open already.
    pub fn opened(&self, key: &str) -> Option<Arc<ReportObject>> {
        self.open.get(key)
    }

    /// Opens a published report. Blocks.
    ///
    /// # Errors
    ///
    /// When there is no such report, or it cannot be read.
    pub fn get(&self, key: &str) -> Result<Arc<ReportObject>, ReportsError> {
        if let Some(object) = self.opened(key) {
            return Ok(object);
        }
        // It guards nothing that a panic could have left half-done.
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
        // One that was removed meanwhile must not stay open.
        if self.storage.has_lost(key) {
            self.close(key);
        }
        Ok(object)
    }

    /// Bytes that a published report takes. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Missing`] where there is none, or whatever kept it from being looked at.
    pub fn size(&self, key: &str) -> Result<u64, ReportsError> {
        self.storage.size(key)
    }

    /// When a published report was written. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Missing`] where there is none, or whatever kept it from being looked at.
    pub fn modified(&self, key: &str) -> Result<SystemTime, ReportsError> {
        self.storage.modified(key)
    }

    /// The keys of all published reports that begin with these two digits, in their order. Files of other names are not the
    /// service's. Blocks.
    ///
    /// # Errors
    ///
    /// When the storage fails.
    pub fn keys(&self, shard: &str) -> Result<Vec<String>, ReportsError> {
        let mut keys = self.storage.keys(shard)?;
        keys.sort_unstable();
        Ok(keys)
    }

    /// Reads all of a published report, and compares it with its checksums. It is not kept open. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Damaged`], [`ReportsError::Missing`], or whatever kept it from being read.
    pub fn check_report(&self, key: &str) -> Result<(), ReportsError> {
        self.storage.open(key)?.check()
    }

    /// Forgets that a report is open: it turned out to be gone.
    pub fn close(&self, key: &str) {
        self.open.remove(key);
    }

    /// Removes a report that no record points to. Whoever is reading a file of one reads on. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Missing`] where there is none, or whatever kept it from being removed.
    pub fn remove(&self, key: &str) -> Result<(), ReportsError> {
        let removed = self.storage.remove(key);
        self.close(key);
        removed
    }

    /// Whether they are files on a disk.
    pub fn are_files(&self) -> bool {
        matches!(self.storage, Storage::Folder(_))
    }

    /// Threads for whoever opens reports or reads from them.
    pub fn threads(&self) -> Threads {
        self.storage.threads()
    }

    /// Tries whether reports could be stored: in a folder with a file of one byte; of a bucket it is asked whether it
    /// answers, since each write to it costs. Never twice at once: one that hangs keeps one thread and no more.
    ///
    /// # Errors
    ///
    /// What keeps them from being stored.
    pub async fn check(&self) -> Result<(), ReportsError> {
        let storage = self.storage.clone();
        let checked = self.checks.run(move || storage.check()).await;
        checked.unwrap_or_else(|panic| Err(io::Error::other(panic).into()))
    }

    /// What the opened reports that are kept come to.
    pub fn cache(&self) -> CacheUse {
        self.open.usage()
    }

    /// Waits until the parts of uploads that were given up are gone from the storage.
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

/// A folder in which files can be made; it is made itself when absent.
fn usable(folder: &Path) -> io::Result<Arc<Path>> {
    let made = private_files::make_folder(folder).and_then(|()| tempfile::tempfile_in(folder));
    match made {
        Ok(_) => Ok(folder.into()),
        Err(error) => {
            let text = format!(
                "the scratch folder {} is of no use: {error}",
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
