//! Files and folders that nobody but the service's own user may read, whatever the umask.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::Path,
};

const FILE: u32 = 0o600;
const FOLDER: u32 = 0o700;

/// What others, and the group, may do.
const OF_OTHERS: u32 = 0o077;

/// Makes a folder and those above it that are absent. One that is there stays as its operator made it.
pub(crate) fn make_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(FOLDER)
        .create(folder)
}

/// Makes an empty file, which must be absent.
pub(crate) fn make_file(file: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(FILE)
        .open(file)
}

/// Makes an empty file where there is none, also behind a symbolic link.
pub(crate) fn make_file_if_absent(file: &Path) -> io::Result<()> {
    // One that is there is not opened: closing it would end the locks that this process has on it.
    if !file.exists() {
        OpenOptions::new()
            .append(true)
            .create(true)
            .mode(FILE)
            .open(file)?;
    }
    Ok(())
}

/// Takes a file from others that an earlier release, or somebody else, left open to them. Where that is not for this user to
/// do, the log says so.
pub(crate) fn close_to_others(file: &Path) {
    let Ok(metadata) = fs::metadata(file) else {
        // There is none.
        return;
    };
    let mode = metadata.permissions().mode();
    if mode & OF_OTHERS == 0 {
        return;
    }
    let closed = Permissions::from_mode(mode & !OF_OTHERS);
    if let Err(error) = fs::set_permissions(file, closed) {
        tracing::warn!(%error, "others may read {}; change its mode to 600", file.display());
    }
}
