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
mod held_back;
mod index;
mod line_anchor;
mod local_header;
mod media_type;
mod object;
mod reports_url;
mod source_page;
mod start_page;
mod storage;
mod threads;
mod zip_writer;

pub use aws_variables::AwsVariables;
pub use bucket::StorageError;
pub use entry::{Entry, EntryReader};
pub use error::ReportsError;
pub use media_type::{is_compressed, media_type};
pub use object::{Folder, ReportObject};
pub use reports_url::{BucketUrl, ReportsUrl};
pub use start_page::StartPage;
pub use storage::StagedReport;
pub use threads::Threads;

use bucket::Bucket;
use byte_cache::{ByteCache, CacheUse};
use files::ReportsFolder;
use std::{
    env,
    error::Error,
    io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};
use storage::Storage;

/// The memory that the indexes of cached open reports may use.
const OPEN_REPORT_BYTES: usize = 32 << 20;

/// The most reports that stay open, each with a file handle.
const OPEN_REPORTS: usize = 128;

/// The number of locks for opening reports, chosen by key. A slow opening delays only the few reports with the same lock.
const OPENINGS: usize = 64;

/// All stored reports. Clones share the cache of open reports.
#[derive(Clone, Debug)]
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

    /// Opens the reports in a bucket, which must exist. Fails, with a sentence for the operator, if the bucket cannot be used, or
    /// if the scratch folder cannot be created or written to.
    pub async fn in_bucket(
        url: &BucketUrl,
        variables: &AwsVariables,
        scratch: Option<&Path>,
    ) -> Result<Self, String> {
        let temporary = env::temp_dir();
        let scratch = usable(scratch.unwrap_or(&temporary));
        let scratch = scratch.map_err(|error| error.to_string())?;
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

    /// Returns a new random key.
    pub fn new_key() -> String {
        let random: u128 = rand::random();
        format!("{random:032x}")
    }

    /// Whether a text of another system is a key.
    pub fn is_key(text: &str) -> bool {
        let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        text.len() == 32 && text.bytes().all(is_digit)
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
        let object = Arc::new(self.open_alone(key)?);
        self.open
            .put(key.to_owned(), object.clone(), object.memory());
        // A report that was removed in the meantime must not stay open.
        if self.has_lost(key) {
            self.close(key);
        }
        Ok(object)
    }

    /// Reads a published report to its end and compares it with its checksums. It does not stay open. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Damaged`], [`ReportsError::Missing`], or the error of the storage.
    pub fn check_report(&self, key: &str) -> Result<(), ReportsError> {
        self.open_alone(key)?.check()
    }

    /// Drops a report from the cache of open reports.
    pub fn close(&self, key: &str) {
        self.open.remove(key);
    }

    /// Checks whether reports can be stored. For a folder, this writes a file of one byte; for a bucket, it only sends a request,
    /// because every write costs money. Only one check runs at a time, so that a check without an answer blocks only one thread.
    ///
    /// # Errors
    ///
    /// The reason why reports cannot be stored.
    pub async fn check(&self) -> Result<(), ReportsError> {
        let storage = self.storage.clone();
        let check = move || match storage {
            Storage::Folder(folder) => folder.check().map_err(ReportsError::from),
            Storage::Bucket(bucket) => bucket.check().map_err(ReportsError::from),
        };
        let checked = self.checks.run(check).await;
        checked.unwrap_or_else(|panic| Err(io::Error::other(panic).into()))
    }

    /// Returns the usage of the cache of open reports.
    pub fn cache(&self) -> CacheUse {
        self.open.usage()
    }

    fn opening(&self, key: &str) -> &Mutex<()> {
        let sum: usize = key.bytes().map(usize::from).sum();
        &self.openings[sum % self.openings.len()]
    }
}

/// The path of a report below the folder or prefix. It is the same in both, so that an operator can copy one to the other.
fn path_of(key: &str) -> String {
    let shard = key.get(..2).unwrap_or("00");
    format!("{shard}/{key}.zip")
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
