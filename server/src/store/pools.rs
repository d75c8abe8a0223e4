//! How many connections to the database there are.

use super::{Store, engine::Engine};
use sqlx::AnyPool;

/// Connections that are kept for one purpose.
#[derive(Clone, Copy, Debug)]
pub struct PoolUse {
    /// What for.
    pub name: &'static str,
    /// How many are open.
    pub open: u32,
    /// How many of these nobody uses.
    pub idle: u32,
    /// How many there may be.
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

    /// How many are in use. Both numbers change while they are read, so that one may be ahead of the other.
    pub fn used(&self) -> u32 {
        self.open.saturating_sub(self.idle)
    }
}

impl Store {
    /// The use of the database's connections.
    pub fn pools(&self) -> Vec<PoolUse> {
        match self.engine {
            Engine::Sqlite => vec![
                PoolUse::of("read", &self.readers),
                PoolUse::of("write", &self.writer),
            ],
            Engine::Postgres => vec![PoolUse::of("all", &self.readers)],
        }
    }
}
