//! A version of the whole database: while it stays the same, all results stay the same.

use super::{
    Store, StoreError,
    engine::Engine,
    run::{Row, Run},
    sqlite,
    time::now,
    write,
};
use sqlx::{AnyConnection, Connection, any::AnyConnectOptions};
use std::{
    ffi::OsString,
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime},
};
use tokio::time::timeout;

/// The state of committed transactions, in the engine's own format. Only usable for comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// SQLite's versions are comparable on one connection only.
    connection: u64,
    seen: Arc<str>,
}

/// The result of this query changes after each commit of another connection; the watcher's own connection never writes
/// (<https://www.sqlite.org/pragma.html#pragma_data_version>).
const OF_SQLITE: &str = "select data_version || '' from pragma_data_version";

/// The visible transactions (<https://www.postgresql.org/docs/current/functions-info.html>, `pg_current_snapshot`). Transactions
/// in other databases of the same server change this text too. Then unchanged results are queried again, which does no harm.
const OF_POSTGRES: &str = "select pg_current_snapshot()::text";

const TIMEOUT: Duration = Duration::from_secs(2);

/// Signs that the database may have changed, read without a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signs {
    ended: u64,
    /// The size and the last change of the write-ahead log.
    log: (u64, SystemTime),
}

/// Reads [`Signs`]. Clones share the last read signs.
#[derive(Clone, Debug)]
pub struct SignReader {
    log: Arc<PathBuf>,
    last: Arc<Mutex<Option<(Instant, Signs)>>>,
}

/// How long the metadata of the write-ahead log, which shows the writes of other processes, is reused. Reading the metadata costs
/// as much as the rest of a cached response.
const ASKED: Duration = Duration::from_millis(10);

/// How long signs are unusable after any change of the write-ahead log. A process writes to the log before it syncs the log, and
/// queries see the write only after the sync.
const SYNCED: Duration = Duration::from_secs(1);

impl SignReader {
    fn new(log: PathBuf) -> Self {
        Self {
            log: Arc::new(log),
            last: Arc::default(),
        }
    }

    /// Returns the present signs. A write of another process may be missing from the signs for up to 10 ms (`ASKED`). Returns
    /// `None` for one second after a write, or if the signs cannot be read.
    pub fn read(&self) -> Option<Signs> {
        let at = Instant::now();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((asked, signs)) = *last
            && at.duration_since(asked) < ASKED
            && signs.ended == write::ended()
        {
            return Some(signs);
        }
        let signs = self.ask();
        *last = signs.map(|signs| (at, signs));
        signs
    }

    fn ask(&self) -> Option<Signs> {
        // The number of ended writes is read before the metadata, so the next call notices a write that ends between the two.
        let ended = write::ended();
        let log = fs::metadata(&*self.log).ok()?;
        let changed = log.modified().ok()?;
        let microseconds = u64::try_from(now().0).ok()?;
        let now = SystemTime::UNIX_EPOCH + Duration::from_micros(microseconds);
        let is_synced = now.duration_since(changed).ok()? > SYNCED;
        is_synced.then_some(Signs {
            ended,
            log: (log.len(), changed),
        })
    }
}

/// Reads versions, on a separate connection.
#[derive(Debug)]
pub struct Watcher {
    engine: Engine,
    options: AnyConnectOptions,
    connection: Option<AnyConnection>,
    connections: u64,
}

impl Store {
    /// Creates a watcher of this database.
    pub fn watcher(&self) -> Watcher {
        Watcher::new(
            self.engine,
            self.read_pool.connect_options().as_ref().clone(),
        )
    }
}

impl Watcher {
    pub(super) fn new(engine: Engine, options: AnyConnectOptions) -> Self {
        Self {
            engine,
            options,
            connection: None,
            connections: 0,
        }
    }

    /// Returns a [`SignReader`]. `None` for PostgreSQL, which other machines can change, or if the path of the SQLite
    /// file cannot be resolved.
    pub fn signs(&self) -> Option<SignReader> {
        // If the path of the database is a symbolic link, SQLite creates the log beside the target of the link.
        let mut log = OsString::from(self.file()?);
        log.push("-wal");
        Some(SignReader::new(log.into()))
    }

    /// Returns the resolved path of the SQLite file. `None` for PostgreSQL, or if the path cannot be resolved.
    pub fn file(&self) -> Option<PathBuf> {
        if self.engine != Engine::Sqlite {
            return None;
        }
        let file = sqlite::file(self.options.database_url.as_str()).ok()?;
        file.canonicalize().ok()
    }

    /// Returns the present version. A query that starts after the call sees this version or a newer version.
    ///
    /// # Errors
    ///
    /// If the database fails, or does not answer within 2 s (`TIMEOUT`). Without this limit, all page requests would wait
    /// for the answer.
    pub async fn version(&mut self) -> Result<Version, StoreError> {
        let (seen,): (String,) = self
            .one(match self.engine {
                Engine::Sqlite => OF_SQLITE,
                Engine::Postgres => OF_POSTGRES,
            })
            .await?;
        Ok(Version {
            connection: self.connections,
            seen: seen.into(),
        })
    }

    /// Returns the only row of a query, within `TIMEOUT`.
    pub(super) async fn one<T: Row>(&mut self, query: &'static str) -> Result<T, StoreError> {
        timeout(TIMEOUT, self.read(query))
            .await
            .unwrap_or(Err(StoreError::Silent))
    }

    async fn read<T: Row>(&mut self, query: &'static str) -> Result<T, StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                self.connections += 1;
                AnyConnection::connect_with(&self.options).await?
            }
        };
        let row = connection.one(query, ()).await?;
        // A connection that failed or timed out is dropped.
        self.connection = Some(connection);
        Ok(row)
    }
}
