//! Uploaded reports: each is one zip file under a random key, never under a name that a client chose. Knows no HTTP.

mod entry;
mod error;
mod index;
mod media_type;
mod object;
mod staged;
mod start_page;

pub use entry::EntryReader;
pub use error::ReportsError;
pub use index::Entry;
pub use media_type::{is_compressed, media_type};
pub use object::ReportObject;
pub use staged::StagedReport;
pub use start_page::StartPage;

use lru::LruCache;
use std::{
    fmt, fs, io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// Opened reports that are kept, each a file handle and its index.
const OPEN_REPORTS: NonZeroUsize = NonZeroUsize::new(128).unwrap();

/// Where uploads are written until they are whole; a start sweeps what a crash left there.
const INCOMING: &str = ".incoming";

/// The folder of uploaded reports.
#[derive(Clone)]
pub struct Reports {
    root: Arc<Path>,
    open: Arc<Mutex<LruCache<String, Arc<ReportObject>>>>,
}

impl Reports {
    /// Opens the folder, makes it when absent, and removes what unfinished uploads left behind.
    ///
    /// # Errors
    ///
    /// When the folder cannot be made or written to.
    pub fn open(root: PathBuf) -> io::Result<Self> {
        let incoming = root.join(INCOMING);
        fs::create_dir_all(&incoming)?;
        for left in fs::read_dir(&incoming)? {
            let left = left?;
            if left.file_type()?.is_file() {
                fs::remove_file(left.path())?;
            }
        }
        Ok(Self {
            root: root.into(),
            open: Arc::new(Mutex::new(LruCache::new(OPEN_REPORTS))),
        })
    }

    /// Begins a new report; it is gone again unless it is [published](Self::publish). Blocks.
    ///
    /// # Errors
    ///
    /// When the file cannot be made.
    pub fn stage(&self) -> Result<StagedReport, ReportsError> {
        StagedReport::begin(&self.root.join(INCOMING))
    }

    /// A key that no report has had.
    pub fn new_key() -> String {
        let random: u128 = rand::random();
        format!("{random:032x}")
    }

    /// Makes a finished report durable under `key`. Blocks.
    ///
    /// # Errors
    ///
    /// When the disk fails or is full. Something may be left under the key then.
    pub fn publish(&self, staged: StagedReport, key: &str) -> Result<(), ReportsError> {
        let path = self.path(key);
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)?;
        staged.finish(&path)?;
        // A rename lasts only once its folder is synced, and a new folder only once its own is.
        sync_folder(folder)?;
        sync_folder(&self.root)?;
        Ok(())
    }

    /// Opens a published report. Blocks.
    ///
    /// # Errors
    ///
    /// When there is no such report, or it cannot be read.
    pub fn get(&self, key: &str) -> Result<Arc<ReportObject>, ReportsError> {
        if let Some(object) = self.lock().get(key) {
            return Ok(object.clone());
        }
        let object = Arc::new(ReportObject::open(&self.path(key))?);
        self.lock().put(key.to_owned(), object.clone());
        Ok(object)
    }

    /// Removes a report that no record points to; whoever is reading it reads on. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Missing`] where there is none, or whatever kept it from being removed.
    pub fn remove(&self, key: &str) -> Result<(), ReportsError> {
        self.lock().pop(key);
        Ok(fs::remove_file(self.path(key))?)
    }

    fn path(&self, key: &str) -> PathBuf {
        let shard = key.get(..2).unwrap_or("00");
        self.root.join(shard).join(format!("{key}.zip"))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LruCache<String, Arc<ReportObject>>> {
        // The cache holds no invariant that a panic elsewhere could have broken.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    fs::File::open(folder)?.sync_all()
}

impl fmt::Debug for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reports")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}
