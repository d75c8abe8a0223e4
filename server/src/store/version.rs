//! A version of all that the database holds: as long as it stays the same, so does every answer.

use super::{Store, StoreError, engine::Engine};
use sqlx::{AnyConnection, Connection, any::AnyConnectOptions};
use std::time::Duration;
use tokio::time::timeout;

/// What was committed, in the engine's own terms; to be compared, not to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// SQLite's are good for one connection only.
    connection: u64,
    seen: String,
}

/// Other after each commit of another connection, and the watcher's own never writes
/// (<https://www.sqlite.org/pragma.html#pragma_data_version>).
const OF_SQLITE: &str = "select data_version || '' from pragma_data_version";

/// Which transactions are seen (<https://www.postgresql.org/docs/current/functions-info.html>, `pg_current_snapshot`). Those of
/// other databases of the same server make it another one too: no harm but a question asked again.
const OF_POSTGRES: &str = "select pg_current_snapshot()::text";

/// How long a version is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Looks versions up, on a connection of its own.
pub struct Watcher {
    engine: Engine,
    options: AnyConnectOptions,
    connection: Option<AnyConnection>,
    connections: u64,
}

impl Store {
    /// A watcher of this database.
    pub fn watcher(&self) -> Watcher {
        Watcher {
            engine: self.engine,
            options: self.readers.connect_options().as_ref().clone(),
            connection: None,
            connections: 0,
        }
    }
}

impl Watcher {
    /// The version that a question asked from now on would see, or an earlier one.
    ///
    /// # Errors
    ///
    /// When the database fails, or does not answer for `PATIENCE`: everybody who asks for a page would wait with it.
    pub async fn version(&mut self) -> Result<Version, StoreError> {
        timeout(PATIENCE, self.ask())
            .await
            .unwrap_or(Err(StoreError::Silent))
    }

    async fn ask(&mut self) -> Result<Version, StoreError> {
        let question = match self.engine {
            Engine::Sqlite => OF_SQLITE,
            Engine::Postgres => OF_POSTGRES,
        };
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                self.connections += 1;
                AnyConnection::connect_with(&self.options).await?
            }
        };
        let seen = sqlx::query_scalar(question)
            .fetch_one(&mut connection)
            .await?;
        // One that failed, or was waited for too long, is gone.
        self.connection = Some(connection);
        Ok(Version {
            connection: self.connections,
            seen,
        })
    }
}
