//! The number of connections to the database.

use super::{Store, engine::Engine};
use sqlx::AnyPool;
use std::iter;

/// The connections for one purpose.
#[derive(Clone, Copy, Debug)]
pub struct PoolUse {
    /// The purpose.
    pub name: &'static str,
    /// The number of open connections.
    pub open: u32,
    /// The number of idle connections.
    pub idle: u32,
    /// The maximum number of connections.
    pub most: u32,
}

impl PoolUse {
    fn of(name: &'static str, pool: &AnyPool) -> Self {
        Self {
            name,
            open: pool.size(),
            idle: u32::try_from(pool.num_idle()).unwrap_or(u32::MAX),
            most: pool.options().get_max_connections(),
        }
    }

    /// Returns the number of connections in use. The counts change while they are read, so they may not match.
    pub fn used(&self) -> u32 {
        self.open.saturating_sub(self.idle)
    }
}

impl Store {
    /// Returns the use of the database's connections.
    pub fn pools(&self) -> Vec<PoolUse> {
        match self.engine {
            Engine::Sqlite => vec![
                PoolUse::of("read", &self.read_pool),
                PoolUse::of("write", &self.write_pool),
            ],
            Engine::Postgres => {
                let replica = self.replica.as_ref();
                let replica = replica.map(|replica| PoolUse::of("replica", &replica.pool));
                let all = PoolUse::of("all", &self.write_pool);
                iter::once(all).chain(replica).collect()
            }
        }
    }
}
