//! Imports the histories of lines: each after the record before it.

use super::HistoryRecord;
use crate::{Operator, RecordChain, StoreError, line_history::MAX_DELETED, run::Run};
use domain::Repository;
use sqlx::FromRow;
use std::{
    collections::{HashMap, HashSet},
    mem,
    sync::Arc,
};

/// Histories wait for the record before their record up to this size in bytes. Then what they say about other records is unknown.
const MAX_WAITING: usize = 64 << 20;

/// A record by its names. The `+` operator keeps SQLite from searching all records of the branch.
pub(crate) const NAMED: &str = "
    select r.id, r.revision, l.lines,
           case when exists (select 1 from record_chain c where c.record_id = r.id) then 1 else 0 end as has_chain
    from repositories p
    join branches b on b.repository_id = p.id and b.name = $2
    join records r on +r.branch_id = b.id and r.language = $3 and r.commit_hash = $4
    left join record_lines l on l.record_id = r.id
    where p.name_key = $1";

/// The histories of an import. They are stored after the records before them.
#[derive(Debug, Default)]
pub struct ImportedHistories {
    repository: Option<Repository>,
    /// The ids here, by the ids in the file.
    ids: Arc<HashMap<i64, i64>>,
    /// The ids in the file of records whose chain is stored.
    stored: HashSet<i64>,
    waiting: Vec<Waiting>,
    waiting_bytes: usize,
}

#[derive(Debug)]
struct Waiting {
    record_id: i64,
    revision: i64,
    chain: RecordChain,
}

impl Waiting {
    fn bytes(&self) -> usize {
        let RecordChain {
            deleted, history, ..
        } = &self.chain;
        let history = history.as_ref().map_or(0, Vec::len);
        size_of::<Self>() + size_of_val(deleted.as_slice()) + history
    }
}

#[derive(FromRow)]
struct Named {
    id: i64,
    revision: i64,
    lines: Option<Vec<u8>>,
    has_chain: i64,
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
        let ids = Arc::make_mut(&mut histories.ids);
        ids.insert(chain.id, found.id);
        if is_stored {
            histories.stored.insert(chain.id);
            return Ok(());
        }
        for (place, deleted) in (0..MAX_DELETED).zip(&chain.deleted) {
            // No record will ever have this id.
            let id = -(found.id.saturating_mul(MAX_DELETED) + place);
            ids.entry(*deleted).or_insert(id);
        }
        let waiting = Waiting {
            record_id: found.id,
            revision: found.revision,
            chain: chain.clone(),
        };
        histories.waiting_bytes += waiting.bytes();
        histories.waiting.push(waiting);
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
            for waiting in mem::take(&mut histories.waiting) {
                let waits = waiting.chain.base.is_some_and(|base| {
                    let is_known = histories.ids.contains_key(&base);
                    !histories.stored.contains(&base) && (is_known || !all)
                });
                match waits {
                    true => histories.waiting.push(waiting),
                    false => self.store_one(histories, waiting).await?,
                }
            }
            if histories.waiting.len() < before && !histories.waiting.is_empty() {
                continue;
            }
            // Only a circle is left, which no service writes.
            if all {
                histories.waiting.clear();
            }
            histories.waiting_bytes = histories.waiting.iter().map(Waiting::bytes).sum();
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
            let ids = Arc::clone(&histories.ids);
            let of = (record_id, waiting.revision);
            store.keep_moved_history(of, history, ids).await?;
        }
        // The file may call a record deleted that exists here. Then its own chain counts.
        let deleted = deleted.iter().copied();
        let is_deleted = |id: &i64| histories.ids.get(id).is_some_and(|&known| known < 0);
        let bases = deleted.take_while(is_deleted).chain(base);
        let mut later = record_id;
        for base in bases {
            let Some(&known) = histories.ids.get(&base) else {
                break;
            };
            store.link(later, Some(known), record_id).await?;
            later = known;
        }
        store.link(later, None, record_id).await?;
        store.forget_new_code(record_id).await?;
        histories.stored.insert(id);
        Ok(())
    }
}
