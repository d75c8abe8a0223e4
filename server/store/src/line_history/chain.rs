//! The chain of a record: its base, the base of the base, and so on. Finds the position in it that a reader names.

use crate::{Store, StoreError, run::Run};
use ::lines::Since;
use domain::{ChainRecord, CommitHash, NewSince, Timestamp};
use sqlx::FromRow;
use std::collections::{HashMap, HashSet};

/// Longer chains end here: what came before counts as unknown.
const LONGEST: i64 = 20_000;

/// The newest record first. The columns of a deleted record are null.
pub(crate) const CHAIN: &str = "
    with recursive chain (record_id, base_id, place) as (
        select c.record_id, c.base_id, 0 from record_chain c where c.record_id = $1
        union all
        select c.record_id, c.base_id, n.place + 1 from chain n
        join record_chain c on c.record_id = n.base_id
        where n.place < $2
    )
    select n.record_id, r.commit_hash, r.created_at from chain n
    left join records r on r.id = n.record_id
    order by n.place";

/// A record of the same repository and language, on any branch.
const OF_ID: &str = "
    select x.id as record_id, x.commit_hash, x.created_at from records r
    join records x on x.repository_id = r.repository_id and x.language = r.language
    where r.id = $1 and x.id = $2";

/// The confirmed record of the main branch whose commit begins with these digits.
const OF_COMMIT: &str = "
    select x.id as record_id, x.commit_hash, x.created_at from records r
    join repositories p on p.id = r.repository_id
    join records x on x.branch_id = p.main_branch_id and x.language = r.language and x.unconfirmed_at is null
    where r.id = $1 and x.commit_hash >= $2 and x.commit_hash < $3
    order by x.id desc limit 1";

/// The record of the main branch with the commit or the tree of the newest record of a tag.
const OF_TAG: &str = "
    select x.id as record_id, x.commit_hash, x.created_at from records r
    join repositories p on p.id = r.repository_id
    join branches b on b.repository_id = p.id and b.name = $2
    join records t on t.branch_id = b.id
    left join record_changes tc on tc.record_id = t.id
    join records x on x.branch_id = p.main_branch_id and x.language = r.language and x.unconfirmed_at is null
    left join record_changes xc on xc.record_id = x.id
    where r.id = $1 and (x.commit_hash = t.commit_hash or xc.tree_hash = tc.tree_hash)
    order by t.updated_at desc, x.id desc limit 1";

/// The position in a chain since which lines are new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SinceRecord {
    /// The newest record that is not after the position. `None` if all records of the chain are after it.
    pub record: Option<ChainRecord>,
    pub(super) since: Since,
}

#[derive(FromRow)]
struct Row {
    #[sqlx(rename = "record_id")]
    id: i64,
    #[sqlx(rename = "commit_hash")]
    commit: Option<CommitHash>,
    created_at: Option<Timestamp>,
}

impl Row {
    fn record(&self) -> Option<ChainRecord> {
        Some(ChainRecord {
            id: self.id,
            commit: self.commit.clone()?,
            created_at: self.created_at?,
        })
    }
}

/// The chain of a record, the newest record first.
pub(super) struct Chain(Vec<Row>);

impl Chain {
    pub(super) async fn of(store: &Store, record_id: i64) -> Result<Self, StoreError> {
        Ok(Self(store.all(CHAIN, (record_id, LONGEST)).await?))
    }

    /// The records of the chain that still exist, by id.
    pub(super) fn records(&self) -> HashMap<i64, ChainRecord> {
        let records = self.0.iter().filter_map(Row::record);
        records.map(|record| (record.id, record)).collect()
    }

    /// The record that follows each record of the chain. Deleted records are left out.
    pub(super) fn next(&self) -> HashMap<i64, i64> {
        let existing = self.0.iter().filter(|row| row.commit.is_some());
        let ids: Vec<_> = existing.map(|row| row.id).collect();
        ids.array_windows().map(|&[next, id]| (id, next)).collect()
    }

    /// When the oldest record of the chain was first uploaded.
    pub(super) fn begins_at(&self) -> Option<Timestamp> {
        self.0.iter().rev().find_map(|row| row.created_at)
    }

    /// The deleted records, each with the record that follows it.
    pub(super) fn deleted(&self) -> HashMap<i64, i64> {
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
        deleted
    }

    /// The position before the records that `is_later`, counted from the newest.
    fn before(&self, later: usize) -> SinceRecord {
        let (newer, older) = self.0.split_at(later.min(self.0.len()));
        let newer = newer.iter().map(|row| row.id);
        let at = older.first();
        SinceRecord {
            record: older.iter().find_map(Row::record),
            since: Since {
                from: newer.clone().chain(at.map(|row| row.id)).collect(),
                later: newer.collect(),
                until: older.iter().map(|row| row.id).collect(),
            },
        }
    }

    /// The position at a time: at the last record that arrived before.
    fn at_time(&self, time: Timestamp) -> SinceRecord {
        let is_earlier = |row: &Row| row.created_at.is_some_and(|at| at < time);
        let later = self.0.iter().position(is_earlier);
        self.before(later.unwrap_or(self.0.len()))
    }

    /// The position at a time, or at the oldest record if the chain begins later.
    pub(super) fn at_time_or_begin(&self, time: Timestamp) -> SinceRecord {
        let found = self.at_time(time);
        match found.record {
            Some(_) => found,
            None => self.before(self.0.len().saturating_sub(1)),
        }
    }

    /// The position of a record: in the chain, or between the last record that both chains have and the first record of this
    /// chain that arrived after it.
    async fn at_record(
        &self,
        store: &Store,
        record: ChainRecord,
    ) -> Result<SinceRecord, StoreError> {
        if let Some(later) = self.0.iter().position(|row| row.id == record.id) {
            return Ok(self.before(later));
        }
        let other: HashSet<i64> = Self::of(store, record.id).await?.ids().collect();
        let shared = self.0.iter().position(|row| other.contains(&row.id));
        let shared = shared.unwrap_or(self.0.len());
        let mut position = self.before(shared);
        // The oldest record after the shared one that arrived after the record.
        let after = self.0[..shared]
            .iter()
            .rposition(|row| row.created_at.is_some_and(|at| at > record.created_at));
        let from = after.map_or(&[][..], |after| &self.0[..=after]);
        position.since.from = from.iter().map(|row| row.id).collect();
        Ok(position)
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = i64> {
        self.0.iter().map(|row| row.id)
    }

    /// The position that a reader names; `None` if there is no such record.
    pub(super) async fn since(
        &self,
        store: &Store,
        record_id: i64,
        since: &NewSince,
        now: Timestamp,
    ) -> Result<Option<SinceRecord>, StoreError> {
        let found: Option<Row> = match since {
            NewSince::Days(_) | NewSince::Day(_) => {
                return Ok(Some(self.at_time(since.time(now).unwrap_or(now))));
            }
            NewSince::Record(id) => store.first(OF_ID, (record_id, *id)).await?,
            NewSince::Commit(digits) => {
                let end = format!("{digits}g");
                store
                    .first(OF_COMMIT, (record_id, digits.as_str(), end))
                    .await?
            }
            NewSince::Tag(name) => {
                let branch = format!("refs/tags/{name}");
                store.first(OF_TAG, (record_id, branch)).await?
            }
        };
        match found.and_then(|row| row.record()) {
            Some(record) => self.at_record(store, record).await.map(Some),
            None => Ok(None),
        }
    }
}
