//! The position in a chain that a reader names: since there, lines are new.

use super::chain::{Chain, Row};
use crate::{Store, StoreError, run::Run};
use ::lines::Since;
use domain::{ChainRecord, NewSince, Timestamp};
use std::collections::HashSet;

/// The columns of a record as the chain has them.
macro_rules! record {
    ($from:literal) => {
        concat!(
            "select x.id as record_id, x.commit_hash, x.created_at, 0 as carries from records r ",
            $from
        )
    };
}

/// A record of the same repository and language, on any branch.
pub(super) const OF_ID: &str = record!(
    "join records x on x.repository_id = r.repository_id and x.language = r.language
     where r.id = $1 and x.id = $2"
);

/// The confirmed records of the main branch whose commit begins with these digits, at most two. The `+` and `||` operators keep
/// SQLite from searching all records of the branch.
pub(super) const OF_COMMIT: &str = record!(
    "join repositories p on p.id = r.repository_id
     join records x on +x.branch_id = p.main_branch_id and x.language || '' = r.language and x.unconfirmed_at is null
     where r.id = $1 and x.commit_hash >= $2 and x.commit_hash < $3
     order by x.id desc limit 2"
);

/// The record of the main branch with the commit of the newest record of a tag, else with its tree.
pub(super) const OF_TAG: &str = record!(
    "join repositories p on p.id = r.repository_id
     join branches b on b.repository_id = p.id and b.name = $2
     join records t on t.id = (
         select h.id from records h where h.branch_id = b.id order by h.updated_at desc, h.id desc limit 1)
     left join record_changes tc on tc.record_id = t.id
     join records x on x.id = coalesce(
         (select c.id from records c
          where c.commit_hash = t.commit_hash and +c.branch_id = p.main_branch_id and c.language || '' = r.language
            and c.unconfirmed_at is null
          order by c.id desc limit 1),
         (select c.id from record_changes k cross join records c
          where k.tree_hash = tc.tree_hash and c.id = k.record_id and +c.branch_id = p.main_branch_id
            and c.language || '' = r.language and c.unconfirmed_at is null
          order by c.id desc limit 1))
     where r.id = $1"
);

/// The position in a chain since which lines are new.
pub(super) struct SinceRecord {
    /// The newest record that is not after the position. `None` if all records of the chain are after it.
    pub(super) record: Option<ChainRecord>,
    pub(super) since: Since,
}

impl Chain {
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

    /// The position at a time, or at the oldest existing record if the chain begins later.
    pub(super) fn at_time_or_begin(&self, time: Timestamp) -> SinceRecord {
        let found = self.at_time(time);
        match found.record {
            Some(_) => found,
            None => {
                let oldest = self.0.iter().rposition(|row| row.created_at.is_some());
                self.before(oldest.unwrap_or(self.0.len()))
            }
        }
    }

    /// The position of a record: in the chain, or between the last record that both chains have and the first record of this
    /// chain that arrived after it.
    fn at_record(&self, named: &NamedRecord) -> SinceRecord {
        let NamedRecord { record, chain } = named;
        if let Some(later) = self.0.iter().position(|row| row.id == record.id) {
            return self.before(later);
        }
        let shared = self.0.iter().position(|row| chain.contains(&row.id));
        let shared = shared.unwrap_or(self.0.len());
        let mut position = self.before(shared);
        // The oldest record after the shared one that arrived after the record.
        let after = self.0[..shared]
            .iter()
            .rposition(|row| row.created_at.is_some_and(|at| at > record.created_at));
        let from = after.map_or(&[][..], |after| &self.0[..=after]);
        position.since.from = from.iter().map(|row| row.id).collect();
        position
    }

    /// The position that a reader names; `None` if there is no such record.
    pub(super) async fn since(
        &self,
        store: &Store,
        record_id: i64,
        since: &NewSince,
        now: Timestamp,
    ) -> Result<Option<SinceRecord>, StoreError> {
        let place = Place::of(store, record_id, since).await?;
        Ok(place.map(|place| self.at(&place, now)))
    }

    /// A position in this chain.
    pub(super) fn at(&self, place: &Place, now: Timestamp) -> SinceRecord {
        match place {
            Place::Time(since) => self.at_time(since.time(now).unwrap_or(now)),
            Place::Record(named) => self.at_record(named),
        }
    }
}

/// What a reader names: a time, or an existing record.
pub(super) enum Place {
    Time(NewSince),
    Record(NamedRecord),
}

/// A record, and the records of its own chain.
pub(super) struct NamedRecord {
    record: ChainRecord,
    chain: HashSet<i64>,
}

impl Place {
    /// `None` if there is no such record in the repository and language of `record_id`.
    pub(super) async fn of(
        store: &Store,
        record_id: i64,
        since: &NewSince,
    ) -> Result<Option<Self>, StoreError> {
        let found: Option<Row> = match since {
            NewSince::Days(_) | NewSince::Day(_) => return Ok(Some(Self::Time(since.clone()))),
            NewSince::Record(id) => store.first(OF_ID, (record_id, *id)).await?,
            NewSince::Commit(digits) => {
                let end = format!("{digits}g");
                let values = (record_id, digits.as_str(), end);
                let mut found: Vec<Row> = store.all(OF_COMMIT, values).await?;
                // Several commits begin with these digits.
                found.pop().filter(|_| found.is_empty())
            }
            NewSince::Tag(name) => {
                let branch = format!("refs/tags/{name}");
                store.first(OF_TAG, (record_id, branch)).await?
            }
        };
        let Some(record) = found.and_then(|row| row.record()) else {
            return Ok(None);
        };
        let mut chain: HashSet<i64> = Chain::of(store, record.id).await?.ids().collect();
        // Records of other branches have no chain, but a base.
        if chain.is_empty()
            && let Some(base) = store.writer().base(record.id).await?
            && base.found_by.is_exact()
        {
            chain.extend(Chain::of(store, base.record.id).await?.ids());
        }
        Ok(Some(Self::Record(NamedRecord { record, chain })))
    }
}
