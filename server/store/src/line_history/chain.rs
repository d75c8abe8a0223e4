//! The chain of a record: its base, the base of the base, and so on.

use crate::{Flag, Store, StoreError, run::Run};
use ::lines::{LineHistory, Origin};
use domain::{ChainRecord, CommitHash, NotRunSince, Timestamp};
use sqlx::FromRow;
use std::collections::HashMap;

/// Longer chains end here: what came before counts as unknown.
const LONGEST: i64 = 20_000;

/// The newest record first. Commit and time of a deleted record are null.
pub(super) const CHAIN: &str = "
    with recursive chain (record_id, base_id, place) as (
        select c.record_id, c.base_id, 0 from record_chain c where c.record_id = $1
        union all
        select c.record_id, c.base_id, n.place + 1 from chain n
        join record_chain c on c.record_id = n.base_id
        where n.place < $2
    )
    select n.record_id, r.commit_hash, r.created_at,
           case when exists (select 1 from carried_parts k where k.record_id = n.record_id) then 1 else 0 end as carries
    from chain n
    left join records r on r.id = n.record_id
    order by n.place";

#[derive(Clone, FromRow)]
pub(super) struct Row {
    #[sqlx(rename = "record_id")]
    pub(super) id: i64,
    #[sqlx(rename = "commit_hash")]
    commit: Option<CommitHash>,
    pub(super) created_at: Option<Timestamp>,
    carries: Flag,
}

impl Row {
    pub(super) fn record(&self) -> Option<ChainRecord> {
        Some(ChainRecord {
            id: self.id,
            commit: self.commit.clone()?,
            created_at: self.created_at?,
        })
    }
}

/// The chain of a record, the newest record first.
pub(super) struct Chain(pub(super) Vec<Row>);

impl Chain {
    pub(super) async fn of(store: &Store, record_id: i64) -> Result<Self, StoreError> {
        Ok(Self(store.all(CHAIN, (record_id, LONGEST)).await?))
    }

    /// The chain of a record of this chain; `None` for another record.
    pub(super) fn from(&self, record_id: i64) -> Option<Self> {
        let place = self.0.iter().position(|row| row.id == record_id)?;
        Some(Self(self.0[place..].to_vec()))
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = i64> {
        self.0.iter().map(|row| row.id)
    }

    /// The records of the chain that still exist, by id.
    pub(super) fn records(&self) -> HashMap<i64, ChainRecord> {
        let records = self.0.iter().filter_map(Row::record);
        records.map(|record| (record.id, record)).collect()
    }

    /// The record after each record, if it measured all of its parts. Otherwise a later record may have lost the lines that ran.
    pub(super) fn next(&self) -> HashMap<i64, ChainRecord> {
        let pairs = self.0.array_windows();
        let pairs = pairs.filter(|[next, _]| !next.carries.0);
        pairs
            .filter_map(|[next, row]| Some((row.id, next.record()?)))
            .collect()
    }

    /// Returns since when a line with some history has not run.
    pub(super) fn not_run_since(&self) -> impl Fn(LineHistory) -> Option<NotRunSince> + use<> {
        let (records, next) = (self.records(), self.next());
        move |LineHistory { origin, last_run }| {
            let record = |id: i64| records.get(&id).cloned();
            match (last_run, origin.after) {
                (Some(last), _) => {
                    let next = next.get(&last).cloned();
                    record(last).map(|last| NotRunSince::LastRun(last, next))
                }
                (None, Some(_)) => record(origin.at).map(NotRunSince::Came),
                (None, None) => record(origin.at).map(NotRunSince::HistoryBegins),
            }
        }
    }

    /// When the oldest record of the chain was first uploaded.
    pub(super) fn begins_at(&self) -> Option<Timestamp> {
        self.0.iter().rev().find_map(|row| row.created_at)
    }

    /// The deleted records, each with the record that follows it.
    pub(super) fn deleted(&self) -> Deleted {
        let (mut deleted, mut next) = (HashMap::new(), None);
        for row in &self.0 {
            match (row.commit.is_some(), next) {
                (true, _) => next = Some(row.id),
                (false, Some(next)) => {
                    deleted.insert(row.id, next);
                }
                (false, None) => {}
            }
        }
        Deleted(deleted)
    }
}

/// The deleted records of a chain, each with the record that follows it.
pub(super) struct Deleted(HashMap<i64, i64>);

impl Deleted {
    /// What a deleted record brought has the next record as `at`, and an unknown beginning.
    pub(super) fn without(&self, origin: Origin) -> Origin {
        match self.0.get(&origin.at) {
            Some(&at) => Origin { after: None, at },
            None => origin,
        }
    }
}
