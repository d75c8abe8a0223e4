//! SQLite databases: a file with many readers and one writer, used by this service alone.

use super::{
    Store, StoreError,
    engine::{self, Engine},
    upgrade::{self, Older},
    views,
};
use crate::private_files;
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

/// The start of every SQLite database (<https://www.sqlite.org/fileformat.html>, section 1.3).
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// How long to wait for another process, and the pause between attempts.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(20);

/// With WAL, readers continue while one connection writes. `full` syncs at each commit, so that acknowledged data survives a
/// power cut. A page cache of 8 MB for each connection saves a sixth of the lookup time of an overview of 5,000 repositories.
const PRAGMAS: [&str; 5] = [
    "pragma busy_timeout = 10000",
    "pragma journal_mode = wal",
    "pragma synchronous = full",
    "pragma foreign_keys = on",
    "pragma cache_size = -8000",
];

/// Opens the database at `url`, creates it if it does not exist, and prepares its tables.
pub(super) async fn open(url: &str, connections: u32, older: Older) -> Result<Store, StoreError> {
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
    upgrade::prepare(Engine::Sqlite, &writer, older).await?;
    Ok(Store {
        read_pool: pool(connections).connect_with(options).await?,
        write_pool: writer,
        engine: Engine::Sqlite,
        notes_uploads: false,
        replica: None,
        analysing: Default::default(),
        definitions: views::Definitions::known(),
        view_counts: views::counts(),
    })
}

/// Protects the database and SQLite's files next to it from other users: the database contains hashes of tokens and the key that
/// signs URLs. SQLite gives the files next to it the mode of the database.
fn keep_private(file: &Path) -> Result<(), StoreError> {
    private_files::make_file_if_absent(file).map_err(StoreError::Folder)?;
    for ending in ["", "-wal", "-shm", "-journal"] {
        let mut name = OsString::from(file);
        name.push(ending);
        private_files::close_to_others(Path::new(&name));
    }
    Ok(())
}

/// Returns the file of a URL, decoded in the same way as by sqlx.
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

/// Whether the file is missing or empty, so that no service has used it yet.
pub(super) fn is_missing(url: &str) -> Result<bool, StoreError> {
    match file(url)?.metadata() {
        Ok(found) => Ok(found.len() == 0),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
        Err(error) => Err(StoreError::Folder(error)),
    }
}

fn pool(connections: u32) -> AnyPoolOptions {
    engine::pool(connections)
        // A connection to a file does not break.
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

/// Checks whether an existing file can be a database. Without the check, sqlx would retry for half a minute.
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
    // A new database is empty until its first table.
    if begin.is_empty() || begin == MAGIC {
        Ok(())
    } else {
        Err(StoreError::NotADatabase)
    }
}

/// Waits until no other process migrates the tables of this database: two migrations would conflict. The lock lasts until the
/// returned value is dropped.
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
    // The lock file is empty and readable by other users: the service and its commands may run as different users.
    let mut options = OpenOptions::new();
    let file = match options.create(true).append(true).open(name) {
        // Another user, perhaps the administrator, created it. A file opened for reading can be locked too.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => File::open(name)?,
        opened => opened?,
    };
    let since = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if since.elapsed() > LONGEST_WAIT => {
                let text = "another process has been migrating the database for a minute";
                return Err(io::Error::new(ErrorKind::TimedOut, text));
            }
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
        }
    }
}
