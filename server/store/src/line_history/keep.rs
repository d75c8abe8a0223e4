//! Computes the history of a record's lines from its base, and then of the later records that follow from it.

use super::chain::Chain;
use crate::{
    Store, StoreError, Writer,
    analysis::Side,
    blocking::{blocking, decoding},
    flicker::SERIES,
    run::Run,
};
use ::lines::{Changes, History, HistoryBase, Limits, Lines};
use domain::{FoundBy, PartName};
use std::collections::{BTreeSet, VecDeque};

/// The maximum number of later records whose histories are computed again, as many as a carried part may be old.
const MAX_LATER: usize = 50;

/// The records whose base is a record: stored, or stated before their base arrived.
pub(crate) const LATER: &str = "
    select c.record_id from record_chain c where c.base_id = $1
    union
    select x.id from records r
    join record_changes c on c.base_commit = r.commit_hash
    join records x on x.id = c.record_id
    where r.id = $1 and x.repository_id = r.repository_id and x.language = r.language and x.id <> r.id";

/// The parts that a record measured, if others are carried. Lines of carried parts did not run in the record.
const MEASURED: &str = "
    select q.part from record_parts q
    where q.record_id = $1 and q.skip_reason is null
      and exists (select 1 from carried_parts c where c.record_id = q.record_id)";

const STORED: &str = "
    select c.base_id, h.history, h.revision from record_histories h
    join record_chain c on c.record_id = h.record_id
    where h.record_id = $1";

const KEEP_BASE: &str = "
    insert into record_chain (record_id, base_id) values ($1, $2)
    on conflict (record_id) do update set base_id = excluded.base_id";

/// Nothing is stored if the lines have changed meanwhile: their upload computes the history again.
const KEEP: &str = "
    insert into record_histories (record_id, revision, history, counts)
    select r.id, r.revision, $3, $4 from records r
    join record_lines l on l.record_id = r.id
    where r.id = $1 and r.revision = $2
    on conflict (record_id) do update set
        revision = excluded.revision,
        history = excluded.history,
        counts = excluded.counts";

pub(super) const REVISION: &str = "select revision from records where id = $1";

/// The record before, with the changes since it.
struct Base {
    id: i64,
    lines: Lines,
    history: History,
    changes: Changes,
}

struct Computed {
    base_id: Option<i64>,
    history: Vec<u8>,
    counts: Vec<u8>,
}

impl Writer<'_> {
    /// Computes and stores the history of a record's lines, and of up to 50 later records if it changed. Nothing happens for
    /// records that are not complete records of the main branch.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if stored lines or changes are damaged.
    pub async fn keep_line_history(self, record_id: i64) -> Result<(), StoreError> {
        let mut next = VecDeque::from([record_id]);
        let mut seen = BTreeSet::from([record_id]);
        while let Some(id) = next.pop_front() {
            if !self.keep_one(id).await? {
                continue;
            }
            let later: Vec<i64> = self.store.values(LATER, [id]).await?;
            for id in later {
                if seen.len() <= MAX_LATER && seen.insert(id) {
                    next.push_back(id);
                }
            }
        }
        Ok(())
    }

    /// Returns whether the history differs from the stored one, so that later records need another one too.
    async fn keep_one(self, record_id: i64) -> Result<bool, StoreError> {
        let of_main: Option<(i64, String)> = self.store.first(SERIES, [record_id]).await?;
        let revision: Option<i64> = self.store.first_value(REVISION, [record_id]).await?;
        let (Some(_), Some(revision)) = (of_main, revision) else {
            return Ok(false);
        };
        let Some(head) = Side::read(self.store, record_id).await? else {
            return Ok(false);
        };
        let Some(lines) = head.lines()? else {
            return Ok(false);
        };
        let base = self.history_base(&head).await?;
        let measured = self.store.measured_lines(record_id).await?;
        let computed = blocking(move || computed(record_id, &lines, measured, base)).await?;
        let Some(computed) = computed else {
            return Ok(false);
        };
        let stored: Option<(Option<i64>, Vec<u8>, i64)> =
            self.store.first(STORED, [record_id]).await?;
        let Computed {
            base_id,
            history,
            counts,
        } = computed;
        let stored = stored.as_ref();
        let is_same =
            stored.is_some_and(|(base, before, _)| (base, before) == (&base_id, &history));
        if is_same && stored.is_some_and(|(_, _, of)| *of == revision) {
            return Ok(false);
        }
        // Two statements: a transaction of a task that the shutdown stops would keep its lock.
        let store = self.store;
        store
            .write(|pool| pool.run(KEEP_BASE, (record_id, base_id)))
            .await?;
        let values = (record_id, revision, history, counts);
        store.write(|pool| pool.run(KEEP, values)).await?;
        Ok(!is_same)
    }

    /// The base of a record, if the record's changes start from it and its lines have a history.
    async fn history_base(self, head: &Side) -> Result<Option<Base>, StoreError> {
        let found = self.base(head.id).await?;
        let found = found.filter(|base| matches!(base.found_by, FoundBy::Commit | FoundBy::Tree));
        let Some(found) = found else { return Ok(None) };
        let id = found.record.id;
        let side = Side::read(self.store, id).await?;
        let (Some(changes), Some(side)) = (head.changes()?, side) else {
            return Ok(None);
        };
        if !head.starts_from(&side) {
            return Ok(None);
        }
        // Two records that name each other as their base would be a circle.
        if Chain::of(self.store, id)
            .await?
            .ids()
            .any(|of_base| of_base == head.id)
        {
            return Ok(None);
        }
        let found = self.store.lines_with_history(id).await?;
        Ok(found.map(|(lines, history)| Base {
            id,
            lines,
            history,
            changes,
        }))
    }
}

impl Store {
    /// The lines that a record measured itself; `None` if that is all of its lines.
    async fn measured_lines(&self, record_id: i64) -> Result<Option<Lines>, StoreError> {
        let parts: Vec<PartName> = self.values(MEASURED, [record_id]).await?;
        let mut measured: Option<Lines> = None;
        for part in parts {
            let Some(blob) = self.encoded_part_lines(record_id, &part).await? else {
                continue;
            };
            let before = measured.unwrap_or_default();
            let unite = move || {
                let limits = Limits::default();
                Ok(before.united(Lines::decode(&blob, &limits)?, &limits)?)
            };
            measured = Some(decoding(record_id, unite).await?);
        }
        Ok(measured)
    }
}

/// `None` if the history is larger than what is kept.
fn computed(
    record_id: i64,
    lines: &Lines,
    measured: Option<Lines>,
    base: Option<Base>,
) -> Option<Computed> {
    let limits = Limits::default();
    let measured = measured.as_ref().unwrap_or(lines);
    let before = base.as_ref().map(|base| HistoryBase {
        record: base.id,
        lines: &base.lines,
        history: &base.history,
        changes: &base.changes,
    });
    let history = History::of(record_id, lines, measured, before);
    Some(Computed {
        base_id: base.map(|base| base.id),
        history: history.encode(lines, &limits).ok()?,
        counts: history.counts(lines).encode(&limits).ok()?,
    })
}
