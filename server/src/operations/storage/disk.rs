//! The free space of the disk that has a file or a folder.

use domain::Disk;
use rustix::fs::statvfs;
use std::{fs, os::unix::fs::MetadataExt, path::PathBuf};
use tokio::task;

/// Reads the disk. `None` without a path, if the disk cannot be read, or if its file system states no size, as some remote ones do.
pub(super) async fn of(path: Option<PathBuf>) -> Option<Disk> {
    let path = path?;
    // A remote file system may not answer for a while.
    let read = task::spawn_blocking(move || {
        let device = fs::metadata(&path).ok()?.dev();
        let space = statvfs(&path).ok()?;
        (space.f_blocks > 0).then(|| Disk {
            device,
            free: space.f_bavail.saturating_mul(space.f_frsize),
        })
    });
    read.await.ok()?
}
