//! Databases of SQLite: a file that has many readers and one writer, and is this service's alone.

use super::{
    Store, StoreError,
    engine::{self, Engine},
};
use crate::store::private_files;
use percent_encoding::percent_decode_str;
use sqlx::any::AnyPoolOptions;
use std::{
    ffi::OsString,
    fs::{File, OpenOptions, TryLockError},
    io::{self, ErrorKind, Read},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};
use tokio::task;

/// How every SQLite database begins (<https://www.sqlite.org/fileformat.html>, section 1.3).
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// How long to wait for another process, and how often to look.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(20);

/// WAL lets readers go on while one writes; `full` syncs at each commit, so that what was acknowledged survives a power cut.
/// Eight MB of pages, for each connection that has read so many, spare the overview of 5,000 repositories a sixth of its
/// lookups' time.
const PRAGMAS: [&str; 5] = [
    "pragma busy_timeout = 10000",
    "pragma journal_mode = wal",
    "pragma synchronous = full",
    "pragma foreign_keys = on",
    "pragma cache_size = -8000",
];

/// Opens the database at `url`, makes it when absent, and brings its tables up to date.
pub(super) async fn open(url: &str, connections: u32) -> Result<Store, StoreError> {
    let file = file(url)?;
    if let Some(folder) = file.parent() {
        private_files::make_folder(folder).map_err(StoreError::Folder)?;
    }
    check(&file)?;
    let _alone = alone(&file).await?;
    keep_private(&file)?;
    let separator = if url.contains('?') { '&' } else { '?' };
    let options = engine::options(&format!("{url}{separator}mode=rwc"))?;
    let writer = pool(1).connect_with(options.clone()).await?;
    Engine::Sqlite.migrations().run(&writer).await?;
    Ok(Store {
        readers: pool(connections).connect_with(options).await?,
        writer,
        engine: Engine::Sqlite,
    })
}

/// Keeps the database and what SQLite has beside it from other users: it holds hashes of tokens and the key that signs
/// addresses. SQLite gives the files beside it the mode of the database.
fn keep_private(file: &Path) -> Result<(), StoreError> {
    private_files::make_file_if_absent(file).map_err(StoreError::Folder)?;
    for ending in ["", "-wal", "-shm", "-journal"] {
        let mut name = OsString::from(file);
        name.push(ending);
        private_files::close_to_others(Path::new(&name));
    }
    Ok(())
}

/// The file that a URL names, decoded as sqlx decodes it.
pub(super) fn file(url: &str) -> Result<PathBuf, StoreError> {
    let file = url
        .strip_prefix("sqlite:")
        .ok_or(StoreError::UnknownEngine)?;
    let file = file.strip_prefix("//").unwrap_or(file);
    let path = file.split_once('?').map_or(file, |(path, _)| path);
    if path.is_empty() || path.contains(":memory:") {
        return Err(StoreError::NoFile);
    }
    Ok(percent_decode_str(path)
        .decode_utf8_lossy()
        .into_owned()
        .into())
}

/// Whether there is no file, or one without tables, which no service has used yet.
pub(super) fn is_missing(url: &str) -> Result<bool, StoreError> {
    match file(url)?.metadata() {
        Ok(found) => Ok(found.len() == 0),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(StoreError::Folder(error)),
    }
}

fn pool(connections: u32) -> AnyPoolOptions {
    engine::pool(connections)
        // A file does not hang up.
        .test_before_acquire(false)
        .after_connect(|connection, _| {
            Box::pin(async move {
                for pragma in PRAGMAS {
                    sqlx::query(pragma).execute(&mut *connection).await?;
                }
                Ok(())
            })
        })
}

/// Whether what is there can be a database. SQLite itself would be asked again and again, for half a minute.
fn check(file: &Path) -> Result<(), StoreError> {
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
async fn alone(file: &Path) -> Result<File, StoreError> {
    let mut name = OsString::from(file);
    name.push(".lock");
    let locked = task::spawn_blocking(move || lock(Path::new(&name)));
    let locked = locked.await.unwrap_or_else(|error| Err(error.into()));
    locked.map_err(StoreError::Folder)
}

#[expect(
    clippy::disallowed_methods,
    reason = "it runs on a thread for blocking work"
)]
fn lock(name: &Path) -> io::Result<File> {
    // It is empty, and others may read it: whoever starts the service may be another user than who runs its commands.
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
