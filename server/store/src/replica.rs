//! A read replica: a hot standby of the PostgreSQL database. It answers the queries of a reader if it has everything that was
//! written before them.

use super::{Store, StoreError, StoreOptions, engine::Engine, postgres, version::Watcher};
use sqlx::{AnyPool, FromRow};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::Mutex;

/// How far a server has come: a commit that was acknowledged is before this position. Without `synchronous_commit`, a commit is
/// acknowledged before it is flushed. The function of the control file names the cluster, which a standby shares with its
/// primary. Each promotion begins a timeline: positions of two timelines cannot be compared.
const POSITION: &str = "
    select (select system_identifier from pg_control_system()) || '/' || current_database() as cluster,
           pg_is_in_recovery() as is_standby,
           case when pg_is_in_recovery()
                then coalesce((select received_tli from pg_stat_wal_receiver), (select timeline_id from pg_control_checkpoint()))
                else ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::integer end as timeline,
           pg_wal_lsn_diff(
               case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
                    when current_setting('synchronous_commit') = 'off' then pg_current_wal_insert_lsn()
                    else pg_current_wal_flush_lsn() end,
               '0/0')::bigint as position";

/// How long a replica that did not answer is left alone.
const PAUSE: Duration = Duration::from_secs(5);

#[derive(Clone, Debug)]
pub(super) struct Replica {
    pub(super) pool: AnyPool,
    comparison: Arc<Mutex<Comparison>>,
}

/// The last comparison of the two servers.
#[derive(Debug)]
struct Comparison {
    primary: Watcher,
    replica: Watcher,
    began: Instant,
    is_current: bool,
    /// The cluster of the primary.
    cluster: Option<String>,
    left_alone_until: Option<Instant>,
}

#[derive(FromRow)]
struct Position {
    cluster: String,
    is_standby: bool,
    timeline: Option<i32>,
    position: Option<i64>,
}

impl Store {
    /// Lets the heavy reads of people use the standby at `url`, which need not answer yet.
    ///
    /// # Errors
    ///
    /// [`StoreError::NoReplica`] if this database or the other one is not on PostgreSQL.
    pub fn with_replica(self, url: &str, options: StoreOptions) -> Result<Self, StoreError> {
        if [self.engine, Engine::of(url)?] != [Engine::Postgres; 2] {
            return Err(StoreError::NoReplica);
        }
        let (pool, connect) = postgres::pool(url, options)?;
        let comparison = Comparison {
            primary: self.watcher(),
            replica: Watcher::new(Engine::Postgres, connect.clone()),
            began: Instant::now(),
            is_current: false,
            cluster: None,
            left_alone_until: None,
        };
        let replica = Replica {
            pool: pool.connect_lazy_with(connect),
            comparison: Arc::new(Mutex::new(comparison)),
        };
        Ok(Self {
            replica: Some(replica),
            ..self
        })
    }

    /// Returns a store that reads from the replica, if there is one, and if it has everything that any instance acknowledged
    /// before this call. Its writes go to the primary.
    pub async fn on_replica(&self) -> Option<Self> {
        let replica = self.replica.as_ref()?;
        replica.is_current().await.then(|| Self {
            read_pool: replica.pool.clone(),
            ..self.clone()
        })
    }
}

impl Replica {
    /// Calls that wait at the same time share the next comparison, which begins after them.
    async fn is_current(&self) -> bool {
        let called = Instant::now();
        let mut comparison = self.comparison.lock().await;
        if comparison.began <= called {
            // Both change together: the client of this call can go away during the comparison.
            let began = Instant::now();
            let is_current = comparison.compare().await;
            (comparison.began, comparison.is_current) = (began, is_current);
        }
        comparison.is_current
    }
}

impl Comparison {
    async fn compare(&mut self) -> bool {
        if self
            .left_alone_until
            .is_some_and(|until| Instant::now() < until)
        {
            return false;
        }
        // The primary comes first, because the replica gains in the meantime. If the primary does not answer, nothing newer can
        // be read from it either.
        let primary: Option<Position> = self.primary.one(POSITION).await.ok();
        let replica: Position = match self.replica.one(POSITION).await {
            Ok(position) => position,
            Err(error) => {
                tracing::warn!(%error, "the read replica does not answer");
                self.left_alone_until = Some(Instant::now() + PAUSE);
                return false;
            }
        };
        let is_behind = primary.as_ref().is_some_and(|primary| {
            let is_of_other_timeline = replica.timeline != primary.timeline;
            primary.is_standby || is_of_other_timeline || replica.position < primary.position
        });
        if let Some(primary) = primary {
            self.cluster = Some(primary.cluster);
        }
        // The primary did not answer since the start.
        let Some(cluster) = &self.cluster else {
            return false;
        };
        if *cluster != replica.cluster || !replica.is_standby {
            tracing::warn!("DATABASE_READ_URL names no standby of the database, so it is not read");
            self.left_alone_until = Some(Instant::now() + PAUSE);
            return false;
        }
        !is_behind
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestDatabase, is_postgres};

    #[tokio::test]
    async fn a_database_that_is_no_standby_is_not_read_as_a_replica() {
        let place = TestDatabase::new();
        let url = place.url();
        let database = place.open().await;
        let with_replica = database.clone().with_replica(&url, StoreOptions::default());
        if is_postgres() {
            let store = with_replica.expect("it need not answer yet");
            assert!(store.on_replica().await.is_none());
            store.close().await;
        } else {
            let refused = with_replica.expect_err("SQLite has no replicas");
            assert!(matches!(refused, StoreError::NoReplica), "{refused}");
        }
        database.close().await;
    }
}
