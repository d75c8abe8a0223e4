//! Reports in a folder: each is a file, written beside the others and renamed when it is whole.

use super::path_of;
use crate::store::private_files;
use std::{
    fs::{self, DirEntry, File},
    io::{self, BufWriter, ErrorKind, Write},
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::{NamedTempFile, TempPath};

/// Where uploads are written until they are whole; a start sweeps what a crash left there.
const INCOMING: &str = ".incoming";

/// Large enough that writing is no longer what an upload waits for.
const BUFFER_BYTES: usize = 256 << 10;

/// The folder. Clones share it.
#[derive(Clone, Debug)]
pub(in crate::reports) struct ReportsFolder {
    root: Arc<Path>,
}

impl ReportsFolder {
    /// Opens the folder, makes it when absent, and removes what unfinished uploads left behind.
    pub(in crate::reports) fn open(root: PathBuf) -> io::Result<Self> {
        let folder = Self { root: root.into() };
        let incoming = folder.incoming();
        private_files::make_folder(&incoming)?;
        // A folder that was just made lasts once the one that it is in is synced, if that one may be opened at all.
        sync_folder(&folder.root.join("..")).ok();
        sweep(&incoming)?;
        Ok(folder)
    }

    /// Where files are that nobody may see yet.
    pub(in crate::reports) fn incoming(&self) -> PathBuf {
        self.root.join(INCOMING)
    }

    pub(super) fn path(&self, key: &str) -> PathBuf {
        self.root.join(path_of(key))
    }

    pub(super) fn stage(&self, key: &str) -> io::Result<StagedFile> {
        // A service that starts beside this one sweeps what nobody has locked, but not while somebody is about to lock it.
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

    /// The names of all files in one of the folders within, which need not be there.
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

    /// Fails where the folder itself is gone, or another one, such as the place of a disk that is not mounted.
    pub(super) fn is_there(&self) -> io::Result<()> {
        match self.incoming().is_dir() {
            true => Ok(()),
            false => Err(io::Error::other(format!(
                "the folder of reports {} is gone",
                self.root.display()
            ))),
        }
    }

    pub(super) fn remove(&self, key: &str) -> io::Result<()> {
        let path = self.path(key);
        fs::remove_file(&path)?;
        // Whoever forgets it now must not find it again after a power cut.
        sync_folder(path.parent().unwrap_or(&self.root))
    }
}

/// A file that is not visible yet. Dropping it removes it.
pub(in crate::reports) struct StagedFile {
    file: BufWriter<File>,
    path: TempPath,
    root: Arc<Path>,
    target: PathBuf,
}

impl StagedFile {
    /// Makes it durable under its key. Something may be left under that where this fails.
    pub(in crate::reports) fn finish(self) -> io::Result<()> {
        let folder = self.target.parent().unwrap_or(&self.root);
        private_files::make_folder(folder)?;
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        self.path
            .persist(&self.target)
            .map_err(|error| error.error)?;
        // A rename lasts only once its folder is synced, and a new folder only once its own is.
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

/// Removes files that nobody writes any more: another process that does so holds a lock on its own.
fn sweep(incoming: &Path) -> io::Result<()> {
    let _alone = lock(incoming)?;
    for left in fs::read_dir(incoming)? {
        match remove_if_left(&left?) {
            // Another process has finished it, or swept it, in the meantime.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            swept => swept?,
        }
    }
    Ok(())
}

/// For as long as the value is kept nobody begins a file in the folder.
fn lock(folder: &Path) -> io::Result<File> {
    let folder = File::open(folder)?;
    folder.lock()?;
    Ok(folder)
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
