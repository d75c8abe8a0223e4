//! The history of lines in an export, and from there: the records of both services have different ids.

use super::keep::{KEEP, version};
use crate::{Store, StoreError, blocking::blocking, revision, run::Run};
use ::lines::{DecodeError, History, Limits, Lines};
use std::{collections::HashMap, sync::Arc};

/// The maximum number of deleted records between two records of a chain. A chain has fewer.
pub(crate) const MAX_DELETED: i64 = 1 << 20;

/// The bases of a record: deleted ones, and then the first one that exists.
pub(super) const BASES: &str = "
    with recursive b (id, place) as (
        select c.base_id, 1 from record_chain c where c.record_id = $1 and c.base_id is not null
        union all
        select c.base_id, b.place + 1 from b join record_chain c on c.record_id = b.id
        where c.base_id is not null and b.place < $2 and not exists (select 1 from records r where r.id = b.id)
    )
    select b.id, case when exists (select 1 from records r where r.id = b.id) then 1 else 0 end as is_kept
    from b order by b.place";

const LINES: &str = "select l.lines from record_lines l where l.record_id = $1";

const ADD_LINK: &str = "
    insert into record_chain (record_id, base_id, repository_id)
    select $1, $2, r.repository_id from records r where r.id = $3
    on conflict (record_id) do nothing";

/// The chain of a record in an export. Ids are ids of the service that exported it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordChain {
    /// The record.
    pub id: i64,
    /// The deleted records between the record and `base`, the newest first.
    pub deleted: Vec<i64>,
    /// The record before.
    pub base: Option<i64>,
    /// The history of the record's lines, as [`History::encode`] writes it.
    pub history: Option<Vec<u8>>,
}

/// The deleted bases of a record, and the first base that exists.
pub(crate) async fn bases(
    store: &Store,
    record_id: i64,
) -> Result<(Vec<i64>, Option<i64>), StoreError> {
    let bases: Vec<(i64, i64)> = store.all(BASES, (record_id, MAX_DELETED)).await?;
    let mut deleted = Vec::new();
    for (id, is_kept) in bases {
        if is_kept == 1 {
            return Ok((deleted, Some(id)));
        }
        deleted.push(id);
    }
    Ok((deleted, None))
}

impl Store {
    /// Stores the history of a record and its revision, if the lines are still these. `ids` are the new ids of the records that
    /// it names.
    pub(crate) async fn keep_moved_history(
        &self,
        (record_id, revision): (i64, i64),
        history: Vec<u8>,
        ids: Arc<HashMap<i64, i64>>,
    ) -> Result<(), StoreError> {
        let lines: Option<Vec<u8>> = self.first_value(LINES, [record_id]).await?;
        let Some(lines) = lines else { return Ok(()) };
        let moved = blocking(move || {
            let id_of = |id: i64| ids.get(&id).copied();
            moved(&lines, &history, record_id, id_of)
        });
        // The import has decoded it; the lines may have changed since.
        let Ok((history, counts, version)) = moved.await? else {
            return Ok(());
        };
        let base_version = None::<i64>;
        let values = (record_id, revision, history, counts, version, base_version);
        self.write(|pool| pool.run(KEEP, values)).await?;
        self.write(|pool| pool.run(revision::MEASURE, [record_id]))
            .await
    }

    /// Stores the base of a record in the chain of `of`, unless one is stored.
    pub(crate) async fn link(
        &self,
        record_id: i64,
        base: Option<i64>,
        of: i64,
    ) -> Result<(), StoreError> {
        self.write(|pool| pool.run(ADD_LINK, (record_id, base, of)))
            .await
    }
}

/// The history and the counts with other ids, encoded, and the version.
fn moved(
    encoded: &[u8],
    history: &[u8],
    record_id: i64,
    id_of: impl Fn(i64) -> Option<i64>,
) -> Result<(Vec<u8>, Vec<u8>, i64), DecodeError> {
    let limits = Limits::default();
    let lines = Lines::decode(encoded, &limits)?;
    let history = History::decode(history, &lines, &limits)?.with_records(record_id, id_of);
    let counts = history.counts(&lines).encode(&limits)?;
    let history = history.encode(&lines, &limits)?;
    let version = version(encoded, &history);
    Ok((history, counts, version))
}
