//! Databases of PostgreSQL: one pool of connections to a server that other processes may use too.

use super::{
    Store, StoreError, StoreOptions,
    engine::{self, Engine},
};
use sqlx::{AnyConnection, Connection, any::AnyConnectOptions};
use std::{
    io::ErrorKind,
    time::{Duration, Instant},
};
use tokio::time::sleep;

/// How each connection is set up: no transaction waits longer for another's lock than SQLite's does, and one whose process
/// is gone without a word (a machine that lost its power, a cut cable) does not keep its locks until TCP gives up.
const SETTINGS: &str = "
    set application_name = 'coverage-dashboard';
    set lock_timeout = '10s';
    set idle_in_transaction_session_timeout = '60s'";

/// After how many milliseconds a statement is ended; 0 is never.
const STATEMENT_TIMEOUT: &str = "select set_config('statement_timeout', $1, false)";
/// How many tables there are that say which migrations have run.
const MIGRATED: &str =
    "select count(*) from pg_catalog.pg_class where oid = to_regclass('_sqlx_migrations')";

/// How long a start waits for a server that does not listen yet, and how often it tries.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(500);

/// Waits until the server takes connections. A pool would wait as long, but not say what for.
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

/// Whether no service has used the database at `url` yet. That there is none at all is said by its server.
pub(super) async fn has_no_tables(url: &str) -> Result<bool, StoreError> {
    sqlx::any::install_default_drivers();
    let options = engine::options(url)?;
    reach(&options).await?;
    let mut connection = AnyConnection::connect_with(&options).await?;
    let tables: i64 = sqlx::query_scalar(MIGRATED)
        .fetch_one(&mut connection)
        .await?;
    connection.close().await?;
    Ok(tables == 0)
}

/// Opens the database at `url`, which has to exist, and brings its tables up to date.
pub(super) async fn open(url: &str, store: StoreOptions) -> Result<Store, StoreError> {
    let options = engine::options(url)?;
    reach(&options).await?;
    let timeout = store.statement_timeout.unwrap_or_default().as_millis();
    let timeout: i64 = timeout.try_into().unwrap_or(i64::MAX);
    let pool = engine::pool(store.connections)
        .after_connect(move |connection, _| {
            Box::pin(async move {
                sqlx::raw_sql(SETTINGS).execute(&mut *connection).await?;
                sqlx::query(STATEMENT_TIMEOUT)
                    .bind(timeout.to_string())
                    .execute(&mut *connection)
                    .await?;
                Ok(())
            })
        })
        .connect_with(options.clone())
        .await?;
    // On a connection without those settings: whoever starts beside this one waits for as long as it takes.
    let patient = engine::pool(1).connect_with(options).await?;
    Engine::Postgres.migrations().run(&patient).await?;
    patient.close().await;
    Ok(Store {
        readers: pool.clone(),
        writer: pool,
        engine: Engine::Postgres,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::testing::{Place, is_postgres};

    #[tokio::test]
    async fn long_statements_are_cancelled_in_a_service_only() {
        if !is_postgres() {
            return;
        }
        let place = Place::new();
        let url = place.url();
        let limited = StoreOptions {
            statement_timeout: Some(Duration::from_millis(10)),
            ..StoreOptions::default()
        };
        let commands = place.open().await;
        let sleep = "select 1 from pg_sleep(0.1)";
        let slept = sqlx::query(sleep).execute(&commands.readers).await;
        assert!(slept.is_ok(), "{slept:?}");
        let service = Store::open_with(&url, limited).await.expect("a database");
        let ended = sqlx::query(sleep).execute(&service.readers).await;
        let ended = ended.expect_err("it takes too long");
        let code = ended.as_database_error().and_then(|error| error.code());
        assert_eq!(code.as_deref(), Some("57014"), "{ended}");
        service.close().await;
    }
}
