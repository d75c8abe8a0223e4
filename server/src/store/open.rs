//! Before a database is opened: whether it is one, and that only one process at a time makes its tables.

use super::StoreError;
use std::{
    ffi::OsString,
    fs::{File, OpenOptions, TryLockError},
    io::{self, ErrorKind, Read},
    path::Path,
    thread,
    time::{Duration, Instant},
};
use tokio::task;

/// How every SQLite database begins (<https://www.sqlite.org/fileformat.html>, section 1.3).
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// How long to wait for another process, and how often to look.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(20);

/// Whether what is there can be a database. SQLite itself would be asked again and again, for half a minute.
pub(super) fn check(file: &Path) -> Result<(), StoreError> {
    let mut opened = match File::open(file) {
        Ok(opened) => opened,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::Folder(error)),
    };
    let mut begin = Vec::new();
    let read = opened
        .by_ref()
        .take(MAGIC.len() as u64)
        .read_to_end(&mut begin);
    read.map_err(StoreError::Folder)?;
    // One that was just made is empty until its first table.
    match begin.is_empty() || begin == MAGIC {
        true => Ok(()),
        false => Err(StoreError::NotADatabase),
    }
}

/// Waits until no other process brings the tables of this database up to date: two would get into each other's way. It
/// lasts as long as the value is kept.
pub(super) async fn alone(file: &Path) -> Result<File, StoreError> {
    let mut name = OsString::from(file);
    name.push(".lock");
    let locked = task::spawn_blocking(move || lock(Path::new(&name)));
    let locked = locked.await.unwrap_or_else(|error| Err(error.into()));
    locked.map_err(StoreError::Folder)
}

fn lock(name: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    let file = match options.create(true).append(true).open(name) {
        // Somebody else has made it, who may be the administrator: it can be locked all the same.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => File::open(name)?,
        opened => opened?,
    };
    let since = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if since.elapsed() > LONGEST_WAIT => {
                let text = "another process has been bringing the database up to date for a minute";
                return Err(io::Error::new(ErrorKind::TimedOut, text));
            }
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
        }
    }
}
