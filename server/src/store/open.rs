//! Before a database is opened: whether it is one, and that only one process at a time makes its tables.

use super::StoreError;
use std::{
    ffi::OsString,
    fs::File,
    io::{ErrorKind, Read},
    path::Path,
};
use tokio::task;

/// How every SQLite database begins (<https://www.sqlite.org/fileformat.html>, section 1.3).
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

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
    let locked = task::spawn_blocking(move || {
        let lock = File::create(name)?;
        lock.lock()?;
        Ok(lock)
    });
    let locked = locked.await.unwrap_or_else(|error| Err(error.into()));
    locked.map_err(StoreError::Folder)
}
