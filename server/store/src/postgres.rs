//! PostgreSQL databases: one pool of connections to a server that other processes may use too.

use super::{
    Store, StoreError, StoreOptions,
    engine::{self, Engine},
    run::{self, Run, answered},
    upgrade::{self, Older},
    views,
};
use sqlx::{
    Any, AnyConnection, Connection, Transaction,
    any::{AnyConnectOptions, AnyPoolOptions},
};
use std::{
    io::ErrorKind,
    time::{Duration, Instant},
};
use tokio::time::sleep;

/// The settings of each connection. Transactions wait for a lock as long as on SQLite. If a process disappears without closing
/// its connection (power loss, cut cable), its locks do not stay until TCP times out. Without `jit = off`, PostgreSQL would spend
/// a second on compiling statements that run in a tenth of a second.
const SETTINGS: &str = "
    set application_name = 'coverage-dashboard';
    set jit = off;
    set lock_timeout = '10s';
    set idle_in_transaction_session_timeout = '60s'";

/// Sets the time after which a statement is cancelled, in milliseconds; 0 for never.
const STATEMENT_TIMEOUT: &str = "select set_config('statement_timeout', $1, false)";

/// The settings of the connection that upgrades. They replace limits of the role or the database.
const UNLIMITED: &str = "
    set application_name = 'coverage-dashboard';
    set lock_timeout = 0;
    set statement_timeout = 0;
    set idle_in_transaction_session_timeout = 0";

/// For statements that must look up rows by index, as SQLite always does. PostgreSQL expects a thousand times the actual rows of
/// a recursive query, and would read all records to find a few hundred.
const LOOKUPS: &str = "set local enable_hashjoin = off; set local enable_mergejoin = off";

/// How long an idle connection may take to answer. After this time, another one is opened: shorter than a health check may take.
const SILENCE: Duration = Duration::from_secs(1);

/// How much longer a service waits than PostgreSQL would let a statement run.
pub(super) const MARGIN: Duration = Duration::from_secs(5);

/// How long a start waits for a server that does not listen yet, and the pause between attempts.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(500);

/// Waits until the server accepts connections. A pool would wait as long, but return a less useful error.
async fn reach(options: &AnyConnectOptions) -> Result<(), StoreError> {
    let since = Instant::now();
    loop {
        match AnyConnection::connect_with(options).await {
            Ok(connection) => return Ok(connection.close().await?),
            Err(sqlx::Error::Io(error))
                if error.kind() == ErrorKind::ConnectionRefused
                    && since.elapsed() < LONGEST_WAIT =>
            {
                sleep(PAUSE).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Whether no service has used the database at `url` yet. If the database does not exist, the server returns an error.
pub(super) async fn has_no_tables(url: &str) -> Result<bool, StoreError> {
    engine::install_drivers();
    let options = engine::options(url)?;
    reach(&options).await?;
    let mut connection = AnyConnection::connect_with(&options).await?;
    let tables: i64 = connection.value(Engine::Postgres.migrated(), ()).await?;
    connection.close().await?;
    Ok(tables == 0)
}

/// The pool of a service or a command for the database at `url`, and how to connect.
pub(super) fn pool(
    url: &str,
    store: StoreOptions,
) -> Result<(AnyPoolOptions, AnyConnectOptions), StoreError> {
    let options = engine::options(url)?;
    let longest = store.statement_timeout.map(|longest| longest + MARGIN);
    let timeout = store.statement_timeout.unwrap_or_default().as_millis();
    let timeout: i64 = timeout.try_into().unwrap_or(i64::MAX);
    let pool = engine::pool(store.connections)
        .test_before_acquire(false)
        .before_acquire(|connection, _| Box::pin(answers(connection, SILENCE)))
        .after_release(move |connection, _| {
            // A statement that nobody waits for any more may still run.
            Box::pin(answers(connection, longest.unwrap_or(Duration::MAX)))
        })
        .after_connect(move |connection, _| {
            Box::pin(async move {
                sqlx::raw_sql(SETTINGS).execute(&mut *connection).await?;
                sqlx::query(STATEMENT_TIMEOUT)
                    .bind(timeout.to_string())
                    .execute(&mut *connection)
                    .await?;
                Ok(())
            })
        });
    Ok((pool, options))
}

/// Opens the database at `url`, which must exist, and prepares its tables.
pub(super) async fn open(
    url: &str,
    store: StoreOptions,
    older: Older,
) -> Result<Store, StoreError> {
    let (pool, options) = pool(url, store)?;
    reach(&options).await?;
    let pool = pool.connect_with(options.clone()).await?;
    // A service that starts at the same time waits until the migrations are done.
    let unlimited = engine::pool(1)
        .after_connect(|connection, _| {
            Box::pin(async move {
                sqlx::raw_sql(UNLIMITED).execute(connection).await?;
                Ok(())
            })
        })
        .connect_with(options)
        .await?;
    upgrade::prepare(Engine::Postgres, &unlimited, older).await?;
    unlimited.close().await;
    Ok(Store {
        read_pool: pool.clone(),
        write_pool: pool,
        engine: Engine::Postgres,
        notes_uploads: false,
        replica: None,
        analysing: Default::default(),
        definitions: views::Definitions::known(),
        view_counts: views::counts(),
    })
}

/// Whether a connection is usable. If not, the pool closes it.
async fn answers(connection: &mut AnyConnection, limit: Duration) -> Result<bool, sqlx::Error> {
    run::within(limit, connection.ping()).await?;
    Ok(true)
}

impl Store {
    /// Begins a transaction whose statements look up the rows of each join by index.
    pub(super) async fn lookups(&self) -> Result<Transaction<'static, Any>, StoreError> {
        let mut transaction = answered(self.read_pool.begin()).await?;
        if self.engine == Engine::Postgres {
            answered(sqlx::raw_sql(LOOKUPS).execute(&mut *transaction)).await?;
        }
        Ok(transaction)
    }

    /// Begins a transaction whose statements all read the same state of the database.
    pub(super) async fn snapshot(&self) -> Result<Transaction<'static, Any>, StoreError> {
        const SNAPSHOT: &str = "set transaction isolation level repeatable read, read only";
        let mut transaction = answered(self.read_pool.begin()).await?;
        if self.engine == Engine::Postgres {
            answered(sqlx::raw_sql(SNAPSHOT).execute(&mut *transaction)).await?;
        }
        Ok(transaction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestDatabase, is_postgres};
    use std::{future::pending, sync::Arc};
    use tokio::{
        io::copy_bidirectional,
        net::{UnixListener, UnixStream},
        select,
        sync::Notify,
    };

    #[tokio::test]
    async fn statements_are_not_compiled() {
        if !is_postgres() {
            return;
        }
        let store = TestDatabase::new().open().await;
        let jit: String = sqlx::query_scalar("select current_setting('jit')")
            .fetch_one(&store.read_pool)
            .await
            .expect("a setting");
        assert_eq!(jit, "off");
        store.close().await;
    }

    #[tokio::test]
    async fn lookups_join_by_index_and_other_statements_as_they_like() {
        if !is_postgres() {
            return;
        }
        let store = TestDatabase::new().open().await;
        const SETTING: &str = "select current_setting('enable_hashjoin')";
        let mut lookups = store.lookups().await.expect("a transaction");
        let inside: String = sqlx::query_scalar(SETTING)
            .fetch_one(&mut *lookups)
            .await
            .expect("a setting");
        drop(lookups);
        let outside: String = sqlx::query_scalar(SETTING)
            .fetch_one(&store.read_pool)
            .await
            .expect("a setting");
        assert_eq!([inside, outside], ["off", "on"]);
        store.close().await;
    }

    #[tokio::test]
    async fn long_statements_are_cancelled_in_a_service_only() {
        if !is_postgres() {
            return;
        }
        let place = TestDatabase::new();
        let url = place.url();
        let limited = StoreOptions {
            statement_timeout: Some(Duration::from_millis(10)),
            ..StoreOptions::default()
        };
        let commands = place.open().await;
        let sleep = "select 1 from pg_sleep(0.1)";
        let slept = sqlx::query(sleep).execute(&commands.read_pool).await;
        assert!(slept.is_ok(), "{slept:?}");
        let service = Store::open_with(&url, limited).await.expect("a database");
        let ended = sqlx::query(sleep).execute(&service.read_pool).await;
        let ended = ended.expect_err("it takes too long");
        let code = ended.as_database_error().and_then(|error| error.code());
        assert_eq!(code.as_deref(), Some("57014"), "{ended}");
        service.close().await;
    }

    #[tokio::test]
    async fn idle_connections_that_became_silent_are_replaced() {
        let place = TestDatabase::new();
        let url = place.url();
        let Some((socket, name)) = url
            .strip_prefix("postgres://coverage@%2F")
            .and_then(|server| server.split_once('/'))
        else {
            return;
        };
        let server = format!("/{}/.s.PGSQL.5432", socket.replace("%2F", "/"));
        let folder = tempfile::tempdir().expect("a folder");
        let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).expect("a socket");
        let silence = Arc::new(Notify::new());
        let machine = tokio::spawn({
            let silence = silence.clone();
            async move {
                loop {
                    let (mut client, _) = listener.accept().await.expect("a connection");
                    let mut server = UnixStream::connect(&server).await.expect("the server");
                    let silence = silence.clone();
                    tokio::spawn(async move {
                        select! {
                            _ = copy_bidirectional(&mut client, &mut server) => {}
                            () = silence.notified() => pending().await,
                        }
                    });
                }
            }
        });
        let direct = place.open().await;
        let socket = folder.path().display().to_string().replace('/', "%2F");
        let store = Store::open(&format!("postgres://coverage@{socket}/{name}")).await;
        let store = store.expect("a database");
        store.ping().await.expect("an answer");
        silence.notify_waiters();
        store.ping().await.expect("an answer of a new connection");
        machine.abort();
        direct.close().await;
    }
}
