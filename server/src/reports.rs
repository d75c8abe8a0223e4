//! Uploaded reports: each is one zip file under a random key, never under a name that a client chose. Knows no HTTP.

mod entry;
mod error;
mod folder;
mod index;
mod media_type;
mod object;
mod staged;
mod start_page;
mod zip_writer;

pub use entry::{Entry, EntryReader};
pub use error::ReportsError;
pub use folder::Folder;
pub use media_type::{is_compressed, media_type};
pub use object::ReportObject;
pub use staged::StagedReport;
pub use start_page::StartPage;

use crate::byte_cache::ByteCache;
use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// Opened reports that are kept: how much memory their indexes may take together, and how many file handles.
const OPEN_REPORT_BYTES: usize = 32 << 20;
const OPEN_REPORTS: usize = 128;

/// Where uploads are written until they are whole; a start sweeps what a crash left there.
const INCOMING: &str = ".incoming";

/// The folder of uploaded reports.
#[derive(Clone)]
pub struct Reports {
    root: Arc<Path>,
    open: Arc<ByteCache<String, Arc<ReportObject>>>,
    /// Held while a report is opened: many who want the same one would otherwise each read its whole table of contents.
    opening: Arc<Mutex<()>>,
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
        // A folder that was just made lasts once the one that it is in is synced, if that one may be opened at all.
        sync_folder(&root.join("..")).ok();
        sweep(&incoming)?;
        Ok(Self {
            root: root.into(),
            open: Arc::new(ByteCache::new(OPEN_REPORT_BYTES, OPEN_REPORTS)),
            opening: Arc::default(),
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
        let _alone = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(object) = self.opened(key) {
            return Ok(object);
        }
        let path = self.path(key);
        let object = Arc::new(ReportObject::open(&path)?);
        self.open
            .put(key.to_owned(), object.clone(), object.memory());
        // One that was removed meanwhile must not stay open.
        if !path.exists() {
            self.open.remove(key);
        }
        Ok(object)
    }

    /// Removes a report that no record points to; whoever is reading it reads on. Blocks.
    ///
    /// # Errors
    ///
    /// [`ReportsError::Missing`] where there is none, or whatever kept it from being removed.
    pub fn remove(&self, key: &str) -> Result<(), ReportsError> {
        let path = self.path(key);
        let removed = fs::remove_file(&path);
        self.open.remove(key);
        removed?;
        // Whoever forgets it now must not find it again after a power cut.
        Ok(sync_folder(path.parent().unwrap_or(&self.root))?)
    }

    fn path(&self, key: &str) -> PathBuf {
        let shard = key.get(..2).unwrap_or("00");
        self.root.join(shard).join(format!("{key}.zip"))
    }
}

/// Removes files that nobody writes any more: another process that does so holds a lock on its own.
fn sweep(incoming: &Path) -> io::Result<()> {
    for left in fs::read_dir(incoming)? {
        let left = left?;
        if left.file_type()?.is_file() && fs::File::open(left.path())?.try_lock().is_ok() {
            fs::remove_file(left.path())?;
        }
    }
    Ok(())
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
