//! The base of a record whose history the record continues, and the records that follow from a record.

use super::chain::Chain;
use crate::{Flag, Store, StoreError, Unsigned, Writer, analysis::Side, run::Run};
use sqlx::FromRow;
use std::collections::HashSet;

/// The maximum number of records before a record whose histories are computed, the oldest first. Longer chains begin later.
const MAX_BEFORE: usize = 10_000;

/// The id of a base, and the version of its history. `None` if there is no base, or if its lines have no history.
pub(super) type BaseVersion = Option<(i64, i64)>;

pub(super) const VERSION: &str = "
    select h.version from record_histories h
    join records r on r.id = h.record_id and r.revision = h.revision
    where h.record_id = $1";

/// The records of the main branch whose base is a record: stored, or stated before their base arrived. The `+` and `||` operators
/// keep SQLite from searching all records of the branch.
pub(super) const LATER: &str = "
    select c.record_id from record_chain c where c.base_id = $1
    union
    select x.id from records r
    join repositories p on p.id = r.repository_id
    join record_changes c on c.base_commit = r.commit_hash
    join records x on x.id = c.record_id
    where r.id = $1 and +x.branch_id = p.main_branch_id and x.language || '' = r.language and x.id <> r.id
    union
    select x.id from records r
    join repositories p on p.id = r.repository_id
    join record_changes o on o.record_id = r.id
    join record_changes c on c.base_tree = o.tree_hash
    join records x on x.id = c.record_id
    where r.id = $1 and +x.branch_id = p.main_branch_id and x.language || '' = r.language and x.id <> r.id";

/// Whether the history of the record `$2` follows from the stored history of `$1`.
pub(super) const FOLLOWS: &str = "
    select count(*) from record_chain c
    join record_histories h on h.record_id = c.record_id
    join records r on r.id = h.record_id and r.revision = h.revision
    join record_histories b on b.record_id = c.base_id
    where c.record_id = $2 and c.base_id = $1 and h.base_version = b.version";

/// Whether a record is the base of another one.
pub(super) const IS_BASE: &str = "select 1 from record_chain c where c.base_id = $1 limit 1";

/// Whether the lines of a record have a history, and whether they can have one.
pub(super) const STATE: &str = "
    select case when h.record_id is not null then 1 else 0 end as has_history,
           case when l.record_id is not null and r.unconfirmed_at is null and p.main_branch_id = r.branch_id
               then 1 else 0 end as may_have
    from records r
    join repositories p on p.id = r.repository_id
    left join record_lines l on l.record_id = r.id
    left join record_histories h on h.record_id = r.id and h.revision = r.revision
    where r.id = $1";

#[derive(FromRow)]
struct State {
    has_history: Flag,
    may_have: Flag,
}

/// The records before a record that need a history first.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// The oldest record first.
    pub(super) records: Vec<i64>,
    /// Whether the record before them waits for its history already.
    pub(super) follows_waiting: bool,
}

impl Writer<'_> {
    /// The records before a record whose lines lack a history. `waits` says of a record whether it waits for its history.
    pub(super) async fn before_without_history(
        self,
        record_id: i64,
        waits: impl Fn(i64) -> bool + Send,
    ) -> Result<Before, StoreError> {
        let (mut found, mut last) = (Before::default(), record_id);
        let mut seen = HashSet::from([record_id]);
        while found.records.len() < MAX_BEFORE
            && let Some(head) = Side::outline(self.store, last).await?
            && let Some(base) = self.exact_base(&head).await?
            && seen.insert(base)
        {
            if waits(base) {
                found.follows_waiting = true;
                break;
            }
            let state: Option<State> = self.store.first(STATE, [base]).await?;
            if !state.is_some_and(|state| !state.has_history.0 && state.may_have.0) {
                break;
            }
            found.records.push(base);
            last = base;
        }
        found.records.reverse();
        Ok(found)
    }

    /// The later records whose history does not follow from the stored history of this record.
    pub(super) async fn later_histories(self, record_id: i64) -> Result<Vec<i64>, StoreError> {
        let mut later: Vec<i64> = Vec::new();
        for id in self.store.values::<i64>(LATER, [record_id]).await? {
            let Unsigned(follows) = self.store.value(FOLLOWS, (record_id, id)).await?;
            if follows == 0 {
                later.push(id);
            }
        }
        Ok(later)
    }

    pub(super) async fn base_version(self, head: &Side) -> Result<BaseVersion, StoreError> {
        let Some(id) = self.exact_base(head).await? else {
            return Ok(None);
        };
        let version: Option<i64> = self.store.first_value(VERSION, [id]).await?;
        Ok(version.map(|version| (id, version)))
    }

    /// The base of a record, if the record's changes start from it.
    async fn exact_base(self, head: &Side) -> Result<Option<i64>, StoreError> {
        let found = self.base(head.id).await?;
        let Some(found) = found.filter(|base| base.found_by.is_exact()) else {
            return Ok(None);
        };
        let id = found.record.id;
        let side = Side::outline(self.store, id).await?;
        if !side.is_some_and(|side| head.starts_from(&side)) {
            return Ok(None);
        }
        let is_circle = self.store.is_before(head.id, id).await?;
        Ok((!is_circle).then_some(id))
    }
}

impl Store {
    /// Whether the chain of the record `later` contains `record_id`. Two records that name each other as their base would be a
    /// circle.
    async fn is_before(&self, record_id: i64, later: i64) -> Result<bool, StoreError> {
        // The newest record is the base of no other one, and chains are long.
        let is_base: Option<i64> = self.first_value(IS_BASE, [record_id]).await?;
        if is_base.is_none() {
            return Ok(false);
        }
        let chain = Chain::of(self, later).await?;
        let mut ids = chain.ids();
        Ok(ids.any(|id| id == record_id))
    }
}
