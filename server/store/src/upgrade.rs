//! Upgrades the tables of a database to the schema of this release, or checks the schema.

use super::{StoreError, engine::Engine, run::Run};
use sqlx::{AnyPool, migrate::MigrateError};
use std::time::Instant;

/// How to handle a database of an earlier schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Older {
    /// Upgrade it, or create the tables in an empty database. The service does this when it starts.
    Upgrade,
    /// Refuse it. A service of an earlier release may be using it, and would fail with other tables.
    Refuse,
    /// Leave it unchanged, whatever its schema: it is only copied.
    Leave,
}

/// Prepares the tables of an open database.
pub(super) async fn prepare(
    engine: Engine,
    pool: &AnyPool,
    older: Older,
) -> Result<(), StoreError> {
    if older == Older::Leave {
        return Ok(());
    }
    let (found, needed) = (schema(engine, pool).await?, engine.newest_schema());
    if found.is_some() && !is_of_release(engine, pool).await? {
        return Err(StoreError::BeforeFirstRelease);
    }
    match found {
        Some(found) if found > needed => Err(StoreError::NewerSchema { found, needed }),
        Some(found) if found < needed && older == Older::Refuse => {
            Err(StoreError::OlderSchema { found, needed })
        }
        None if older == Older::Refuse => Err(StoreError::Missing),
        _ if older == Older::Refuse => Ok(()),
        _ => upgrade(engine, pool, found).await,
    }
}

/// Each migration is one transaction together with its row in the list of migrations. So the unfinished work of a killed process
/// is undone, and the next start continues from there.
async fn upgrade(engine: Engine, pool: &AnyPool, found: Option<i64>) -> Result<(), StoreError> {
    let (needed, began) = (engine.newest_schema(), Instant::now());
    let from = found.filter(|found| *found < needed);
    if let Some(from) = from {
        tracing::info!(from, to = needed, "upgrading the database");
    }
    let upgraded = engine.migrations().run(pool).await;
    if let Err(MigrateError::VersionMissing(_)) = upgraded
        && let Some(found) = schema(engine, pool).await?
        && found > needed
    {
        // A newer release has upgraded the database since it was opened.
        return Err(StoreError::NewerSchema { found, needed });
    }
    upgraded?;
    if from.is_some() {
        let seconds = began.elapsed().as_secs_f32();
        tracing::info!(to = needed, seconds, "upgraded the database");
    }
    Ok(())
}

/// Whether the first migration of the database is the first migration of the releases. Builds before the first release had others.
async fn is_of_release(engine: Engine, pool: &AnyPool) -> Result<bool, StoreError> {
    const FIRST: &str = "select description from _sqlx_migrations order by version limit 1";
    let found: String = pool.value(FIRST, ()).await?;
    let first = engine.migrations().iter().next();
    Ok(first.is_some_and(|first| first.description == found))
}

/// The number of the last migration that has run; `None` in an empty database.
async fn schema(engine: Engine, pool: &AnyPool) -> Result<Option<i64>, StoreError> {
    const NEWEST: &str = "select max(version) from _sqlx_migrations";
    let tables: i64 = pool.value(engine.migrated(), ()).await?;
    if tables == 0 {
        return Ok(None);
    }
    pool.value(NEWEST, ()).await
}
