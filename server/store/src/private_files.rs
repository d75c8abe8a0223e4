//! Files and folders that only the service's own user may read, whatever the umask.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
};

const FILE: u32 = 0o600;
const FOLDER: u32 = 0o700;

const OF_OTHERS: u32 = 0o077;

/// Creates a folder and its missing parents. An existing folder keeps its permissions.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(FOLDER)
        .create(folder)
}

/// Creates an empty file, which must not exist.
pub(crate) fn make_file(file: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(FILE)
        .open(file)
}

/// Creates an empty file if there is none, also at the target of a symbolic link.
pub(crate) fn make_file_if_absent(file: &Path) -> io::Result<()> {
    // Do not open an existing file: closing it would release the locks that this process has on it.
    if !file.exists() {
        OpenOptions::new()
            .append(true)
            .create(true)
            .mode(FILE)
            .open(file)?;
    }
    Ok(())
}

/// Removes the permissions of other users on a file, which an earlier release or another user may have set. Logs a warning if the
/// permissions cannot be changed.
pub(crate) fn close_to_others(file: &Path) {
    let Ok(metadata) = fs::metadata(file) else {
        // The file does not exist.
        return;
    };
    let mode = metadata.permissions().mode();
    if mode & OF_OTHERS == 0 {
        return;
    }
    let closed = Permissions::from_mode(mode & !OF_OTHERS);
    if let Err(error) = fs::set_permissions(file, closed) {
        tracing::warn!(%error, "other users may read {}; change its mode to 600", file.display());
    }
}
