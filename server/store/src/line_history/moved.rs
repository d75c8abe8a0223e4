//! The history of lines in an export, and its import: the records of both services have different ids.

use super::keep::{KEEP, version};
use crate::{HistoryRecord, Operator, Store, StoreError, blocking::blocking, revision, run::Run};
use ::lines::{DecodeError, History, Limits, Lines};
use domain::Repository;
use sqlx::FromRow;
use std::collections::HashMap;

/// Histories wait for the record before their record up to this size in bytes. Then what they say about other records is unknown.
const MAX_WAITING: usize = 64 << 20;

/// The maximum number of deleted records between two records of a chain. A chain has fewer.
const MAX_DELETED: i64 = 1 << 20;

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

/// A record by its names. The `+` operator keeps SQLite from searching all records of the branch.
pub(super) const NAMED: &str = "
    select r.id, r.revision, l.lines,
           case when exists (select 1 from record_chain c where c.record_id = r.id) then 1 else 0 end as has_chain
    from repositories p
    join branches b on b.repository_id = p.id and b.name = $2
    join records r on +r.branch_id = b.id and r.language = $3 and r.commit_hash = $4
    left join record_lines l on l.record_id = r.id
    where p.name_key = $1";

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

/// The histories of an import. They are stored after the records before them.
#[derive(Debug, Default)]
pub struct ImportedHistories {
    repository: Option<Repository>,
    /// The ids here, by the ids in the file.
    ids: HashMap<i64, Known>,
    waiting: Vec<Waiting>,
    waiting_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    id: i64,
    /// Whether its chain is stored.
    is_stored: bool,
}

#[derive(Debug)]
struct Waiting {
    record_id: i64,
    revision: i64,
    chain: RecordChain,
}

#[derive(FromRow)]
struct Named {
    id: i64,
    revision: i64,
    lines: Option<Vec<u8>>,
    has_chain: i64,
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

impl Operator<'_> {
    /// Stores the histories of imported records. A record that has a history already, or other lines than the file, keeps what it
    /// has. Call it after the import of the records, and at the end with no records.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn import_histories(
        self,
        histories: &mut ImportedHistories,
        records: &[HistoryRecord],
    ) -> Result<(), StoreError> {
        let repository = records.first().map(|record| &record.repository);
        if histories.repository.as_ref() != repository {
            self.store_waiting(histories, true).await?;
            *histories = ImportedHistories {
                repository: repository.cloned(),
                ..ImportedHistories::default()
            };
        }
        for record in records {
            self.await_base(histories, record).await?;
        }
        let is_full = histories.waiting_bytes > MAX_WAITING;
        self.store_waiting(histories, is_full).await
    }

    async fn await_base(
        self,
        histories: &mut ImportedHistories,
        record: &HistoryRecord,
    ) -> Result<(), StoreError> {
        let Some(chain) = &record.chain else {
            return Ok(());
        };
        let names = (
            &record.repository,
            &record.branch,
            &record.language,
            &record.commit,
        );
        let found: Option<Named> = self.store.first(NAMED, names).await?;
        let Some(found) = found else { return Ok(()) };
        let has_lines = found.lines.as_deref()
            == record
                .line_states
                .as_ref()
                .map(|lines| lines.encoded.as_slice());
        let is_stored = found.has_chain == 1 || !has_lines;
        let known = Known {
            id: found.id,
            is_stored,
        };
        histories.ids.insert(chain.id, known);
        if is_stored {
            return Ok(());
        }
        for (place, deleted) in (0..MAX_DELETED).zip(&chain.deleted) {
            // No record will ever have this id.
            let id = -(found.id.saturating_mul(MAX_DELETED) + place);
            let known = Known {
                id,
                is_stored: false,
            };
            histories.ids.entry(*deleted).or_insert(known);
        }
        histories.waiting_bytes += chain.history.as_ref().map_or(0, Vec::len);
        histories.waiting.push(Waiting {
            record_id: found.id,
            revision: found.revision,
            chain: chain.clone(),
        });
        Ok(())
    }

    /// Stores the histories whose base is stored. With `all`, also the others.
    async fn store_waiting(
        self,
        histories: &mut ImportedHistories,
        all: bool,
    ) -> Result<(), StoreError> {
        loop {
            let before = histories.waiting.len();
            for waiting in std::mem::take(&mut histories.waiting) {
                let base = waiting.chain.base;
                let base = base.map(|base| histories.ids.get(&base));
                match base {
                    Some(Some(Known {
                        is_stored: false, ..
                    })) => histories.waiting.push(waiting),
                    Some(None) if !all => histories.waiting.push(waiting),
                    _ => self.store_one(histories, waiting).await?,
                }
            }
            if histories.waiting.len() < before && !histories.waiting.is_empty() {
                continue;
            }
            // Only a circle is left, which no service writes.
            if all {
                histories.waiting.clear();
            }
            let bytes = histories.waiting.iter().map(|waiting| {
                let history = waiting.chain.history.as_ref();
                history.map_or(0, Vec::len)
            });
            histories.waiting_bytes = bytes.sum();
            return Ok(());
        }
    }

    async fn store_one(
        self,
        histories: &mut ImportedHistories,
        waiting: Waiting,
    ) -> Result<(), StoreError> {
        let (store, record_id) = (self.store, waiting.record_id);
        let RecordChain {
            id,
            deleted,
            base,
            history,
        } = waiting.chain;
        if let Some(history) = history {
            const LINES: &str = "select l.lines from record_lines l where l.record_id = $1";
            let lines: Option<Vec<u8>> = store.first_value(LINES, [record_id]).await?;
            let Some(lines) = lines else { return Ok(()) };
            let ids = std::mem::take(&mut histories.ids);
            let move_it = move || {
                let id_of = |id: i64| ids.get(&id).map(|known| known.id);
                let moved = moved(&lines, &history, record_id, id_of);
                (ids, moved)
            };
            let (ids, moved) = blocking(move_it).await?;
            histories.ids = ids;
            if let Ok((history, counts, version)) = moved {
                let values = (
                    record_id,
                    waiting.revision,
                    history,
                    counts,
                    version,
                    None::<i64>,
                );
                store.write(|pool| pool.run(KEEP, values)).await?;
                store
                    .write(|pool| pool.run(revision::MEASURE, [record_id]))
                    .await?;
            }
        }
        let bases = deleted.iter().copied().chain(base);
        let mut later = record_id;
        for base in bases {
            let Some(known) = histories.ids.get_mut(&base) else {
                break;
            };
            let link = (later, Some(known.id), record_id);
            store.write(|pool| pool.run(ADD_LINK, link)).await?;
            later = known.id;
            known.is_stored = true;
        }
        let end = (later, None::<i64>, record_id);
        store.write(|pool| pool.run(ADD_LINK, end)).await?;
        if let Some(known) = histories.ids.get_mut(&id) {
            known.is_stored = true;
        }
        Ok(())
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
