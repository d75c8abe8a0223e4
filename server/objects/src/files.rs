//! Reports in a folder. Each report is a file, written in a subfolder and renamed when complete.

use crate::{path_of, zip_writer::Unpublished};
use std::{
    fs::{self, DirBuilder, DirEntry, File},
    io::{self, BufWriter, ErrorKind, Write},
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::{NamedTempFile, TempPath};

/// The subfolder for incomplete uploads. A start removes the files that a crash left there.
const INCOMING: &str = ".incoming";

/// Large enough that writing does not slow down an upload.
const BUFFER_BYTES: usize = 256 << 10;

/// The folder. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct ReportsFolder {
    root: Arc<Path>,
}

impl ReportsFolder {
    /// Opens the folder, creates it if missing, and removes the files of unfinished uploads.
    pub(crate) fn open(root: PathBuf) -> io::Result<Self> {
        let folder = Self { root: root.into() };
        let incoming = folder.incoming();
        // A sync takes longer than the rest of a start. After it, the subfolder shows later starts that it was done.
        if !incoming.is_dir() {
            make_folder(&folder.root)?;
            // A new folder is durable once its parent is synced, if the service may open the parent.
            sync_folder(&folder.root.join("..")).ok();
            make_folder(&incoming)?;
        }
        sweep(&incoming)?;
        Ok(folder)
    }

    pub(crate) fn incoming(&self) -> PathBuf {
        self.root.join(INCOMING)
    }

    pub(super) fn path(&self, key: &str) -> PathBuf {
        self.root.join(path_of(key))
    }

    pub(super) fn stage(&self, key: &str) -> io::Result<StagedFile> {
        // Another service that starts removes files without a lock. The shared lock prevents this until this file is locked.
        let incoming = File::open(self.incoming())?;
        incoming.lock_shared()?;
        let (file, path) = NamedTempFile::new_in(self.incoming())?.into_parts();
        file.lock()?;
        Ok(StagedFile {
            file: BufWriter::with_capacity(BUFFER_BYTES, file),
            path,
            root: self.root.clone(),
            target: self.path(key),
        })
    }

    pub(super) fn check(&self) -> io::Result<()> {
        tempfile::tempfile_in(self.incoming())?.write_all(b"x")
    }

    /// Returns the names of all files in a subfolder, which may be missing.
    pub(super) fn names(&self, shard: &str) -> io::Result<Vec<String>> {
        self.is_there()?;
        let files = match fs::read_dir(self.root.join(shard)) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            files => files?,
        };
        let mut names = Vec::new();
        for file in files {
            names.extend(file?.file_name().into_string());
        }
        Ok(names)
    }

    /// Fails if the folder is missing or replaced, such as by the mount point of a disk that is not mounted.
    pub(super) fn is_there(&self) -> io::Result<()> {
        if self.incoming().is_dir() {
            Ok(())
        } else {
            Err(io::Error::other(format!(
                "the folder of reports {} is missing",
                self.root.display()
            )))
        }
    }

    pub(super) fn remove(&self, key: &str) -> io::Result<()> {
        let path = self.path(key);
        fs::remove_file(&path)?;
        // The file must not come back after a power cut.
        sync_folder(path.parent().unwrap_or(&self.root))
    }
}

/// A file that is not visible yet. Dropping it removes it.
pub(crate) struct StagedFile {
    file: BufWriter<File>,
    path: TempPath,
    root: Arc<Path>,
    target: PathBuf,
}

impl Unpublished for StagedFile {
    fn finish(self: Box<Self>) -> io::Result<()> {
        let folder = self.target.parent().unwrap_or(&self.root);
        make_folder(folder)?;
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        self.path
            .persist(&self.target)
            .map_err(|error| error.error)?;
        // A rename is durable once its folder is synced, and a new folder once its parent is synced.
        sync_folder(folder)?;
        sync_folder(&self.root)
    }
}

impl Write for StagedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Removes files that no process is writing. A process holds a lock on the file that it writes.
fn sweep(incoming: &Path) -> io::Result<()> {
    // Prevents new files in the folder.
    let alone = File::open(incoming)?;
    alone.lock()?;
    for left in fs::read_dir(incoming)? {
        match remove_if_left(&left?) {
            // Another process has finished or removed the file in the meantime.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            swept => swept?,
        }
    }
    Ok(())
}

fn remove_if_left(file: &DirEntry) -> io::Result<()> {
    let path = file.path();
    if file.file_type()?.is_file() && File::open(&path)?.try_lock().is_ok() {
        fs::remove_file(path)?;
    }
    Ok(())
}

fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Creates a folder that only the user of the service may read, and its missing parents.
pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}
