//! The database engines: their URLs, migrations and options.

use super::StoreError;
use sqlx::{
    ConnectOptions,
    any::{AnyConnectOptions, AnyPoolOptions},
    migrate::Migrator,
};
use std::{str::FromStr, sync::Once, time::Duration};

const ACQUIRE: Duration = Duration::from_secs(30);

/// Queries that take longer are logged.
const SLOW: Duration = Duration::from_secs(1);

/// A database engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    /// One file and one process, <https://www.sqlite.org>.
    Sqlite,
    /// A server that several processes share, <https://www.postgresql.org>.
    Postgres,
}

static SQLITE_MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/sqlite");
static POSTGRES_MIGRATIONS: Migrator = sqlx::migrate!("../../migrations/postgres");

impl Engine {
    pub(super) fn of(url: &str) -> Result<Self, StoreError> {
        match url.split(':').next() {
            Some("sqlite") => Ok(Self::Sqlite),
            Some("postgres" | "postgresql") => Ok(Self::Postgres),
            _ => Err(StoreError::UnknownEngine),
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
        }
    }

    pub(super) fn migrations(self) -> &'static Migrator {
        match self {
            Self::Sqlite => &SQLITE_MIGRATIONS,
            Self::Postgres => &POSTGRES_MIGRATIONS,
        }
    }

    pub(super) fn newest_schema(self) -> i64 {
        let versions = self.migrations().iter().map(|migration| migration.version);
        versions.max().unwrap_or_default()
    }

    /// Selects the number of tables of migrations: 0 if no migration has run, else 1.
    pub(super) fn migrated(self) -> &'static str {
        match self {
            Self::Sqlite => {
                "select count(*) from sqlite_schema where type = 'table' and name = '_sqlx_migrations'"
            }
            Self::Postgres => {
                "select count(*) from pg_catalog.pg_class where oid = to_regclass('_sqlx_migrations')"
            }
        }
    }
}

/// Registers the drivers of both engines for [`sqlx::Any`]. Further calls do nothing.
///
/// # Panics
///
/// If other drivers were installed before.
pub fn install_drivers() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        sqlx::any::install_drivers(&[sqlx_sqlite::any::DRIVER, sqlx_postgres::any::DRIVER])
            .expect("no other drivers");
    });
}

pub(super) fn options(url: &str) -> Result<AnyConnectOptions, StoreError> {
    let options = AnyConnectOptions::from_str(url)?;
    Ok(options.log_slow_statements(tracing::log::LevelFilter::Warn, SLOW))
}

pub(super) fn pool(connections: u32) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(ACQUIRE)
}
