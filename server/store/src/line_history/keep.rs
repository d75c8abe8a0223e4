//! Computes the history of a record's lines from its base, and then of the later records that follow from it.

use super::chain::Chain;
use crate::{
    Store, StoreError, Unsigned, Writer,
    analysis::Side,
    blocking::{blocking, decoding},
    flicker::SERIES,
    run::Run,
};
use ::lines::{History, HistoryBase, Limits, Lines, PartRoot, UnionOfParts};
use domain::text::chain;
use std::collections::{BTreeSet, VecDeque};

/// The maximum number of later records whose histories are computed again, as many as a carried part may be old.
const MAX_LATER: usize = 50;

/// The records of the main branch whose base is a record: stored, or stated before their base arrived. The `+` and `||` operators
/// keep SQLite from searching all records of the branch.
pub(crate) const LATER: &str = "
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

const STORED: &str = "select h.history, h.revision from record_histories h where h.record_id = $1";

const LINK: &str = "select c.base_id from record_chain c where c.record_id = $1";

/// Whether the lines of a record have a history of these lines.
const HAS_HISTORY: &str = "
    select count(*) from record_histories h
    join records r on r.id = h.record_id and r.revision = h.revision
    where h.record_id = $1";

/// A former link stays: its base may be deleted, and the chains of later records go through it.
const KEEP_LINK: &str = "
    insert into record_chain (record_id, base_id) values ($1, $2)
    on conflict (record_id) do update set base_id = coalesce(excluded.base_id, record_chain.base_id)";

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

/// The record before.
struct Base {
    id: i64,
    lines: Lines,
    history: History,
}

struct Computed {
    base_id: Option<i64>,
    history: Vec<u8>,
    counts: Vec<u8>,
}

impl Writer<'_> {
    /// Computes and stores the history of a record's lines, and of up to 50 later records if it changed. Bases whose history is
    /// missing, because of a restart for example, come first. Nothing happens for records that are not complete records of the
    /// main branch.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if stored lines or changes are damaged.
    pub async fn keep_line_history(self, record_id: i64) -> Result<(), StoreError> {
        let mut next = self.without_history(record_id).await?;
        let mut seen: BTreeSet<i64> = next.iter().copied().collect();
        let most = seen.len() + MAX_LATER;
        while let Some(id) = next.pop_front() {
            if !self.keep_one(id).await? {
                continue;
            }
            let later: Vec<i64> = self.store.values(LATER, [id]).await?;
            for id in later {
                if seen.len() < most && seen.insert(id) {
                    next.push_back(id);
                }
            }
        }
        Ok(())
    }

    /// The record, after its bases without a history, at most 50.
    async fn without_history(self, record_id: i64) -> Result<VecDeque<i64>, StoreError> {
        let (mut found, mut last) = (VecDeque::from([record_id]), record_id);
        while found.len() <= MAX_LATER
            && let Some(head) = Side::read(self.store, last).await?
            && let Some(base) = self.exact_base(&head).await?
        {
            let Unsigned(histories) = self.store.value(HAS_HISTORY, [base]).await?;
            if histories > 0 || found.contains(&base) {
                break;
            }
            found.push_front(base);
            last = base;
        }
        Ok(found)
    }

    /// Returns whether later records need another history too.
    async fn keep_one(self, record_id: i64) -> Result<bool, StoreError> {
        let store = self.store;
        let of_main: Option<(i64, String)> = store.first(SERIES, [record_id]).await?;
        let revision: Option<i64> = store.first_value(REVISION, [record_id]).await?;
        let (Some(_), Some(revision)) = (of_main, revision) else {
            return Ok(false);
        };
        let Some(head) = Side::read(store, record_id).await? else {
            return Ok(false);
        };
        let base = self.history_base(&head).await?;
        let measured = store.measured_lines(&head).await?;
        let link: Option<Option<i64>> = store.first_value(LINK, [record_id]).await?;
        // The later records know more than this record, whose base is gone.
        let has_lost_base = base.is_none() && link.flatten().is_some();
        let computed = blocking(move || computed(&head, measured, base)).await??;
        let Some(computed) = computed else {
            return Ok(false);
        };
        let stored: Option<(Vec<u8>, i64)> = store.first(STORED, [record_id]).await?;
        if stored.is_some_and(|stored| stored == (computed.history.clone(), revision)) {
            return Ok(false);
        }
        // Two statements: a transaction of a task that the shutdown stops would keep its lock.
        let values = (record_id, revision, computed.history, computed.counts);
        let kept = store.write(|pool| pool.changed(KEEP, values)).await?;
        let link = (record_id, computed.base_id);
        store.write(|pool| pool.run(KEEP_LINK, link)).await?;
        Ok(kept > 0 && !has_lost_base)
    }

    /// The base of a record, if the record's changes start from it.
    async fn exact_base(self, head: &Side) -> Result<Option<i64>, StoreError> {
        let found = self.base(head.id).await?;
        let Some(found) = found.filter(|base| base.found_by.is_exact()) else {
            return Ok(None);
        };
        let id = found.record.id;
        let side = Side::read(self.store, id).await?;
        if !side.is_some_and(|side| head.starts_from(&side)) {
            return Ok(None);
        }
        // Two records that name each other as their base would be a circle.
        let chain = Chain::of(self.store, id).await?;
        let is_circle = chain.ids().any(|of_base| of_base == head.id);
        Ok((!is_circle).then_some(id))
    }

    /// The base of a record, if its lines have a history. A damaged history is logged and counts as none.
    async fn history_base(self, head: &Side) -> Result<Option<Base>, StoreError> {
        let Some(id) = self.exact_base(head).await? else {
            return Ok(None);
        };
        match self.store.lines_with_history(id).await {
            Ok(found) => Ok(found.map(|(lines, history)| Base { id, lines, history })),
            Err(error @ StoreError::Lines { .. }) => {
                tracing::error!(cause = chain(&error), "the history of lines begins again");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

impl Store {
    /// The lines of the parts that a record measured, if it carries others: lines of carried parts did not run in the record. `None`
    /// if it measured all of its lines.
    async fn measured_lines(&self, head: &Side) -> Result<Option<Lines>, StoreError> {
        let writer = self.writer();
        if writer.carried_parts(head.id).await?.is_empty() {
            return Ok(None);
        }
        let id = head.id;
        let files = self.stored_files(id).await?.unwrap_or_default();
        let Some(blob) = head.encoded_lines() else {
            return Ok(None);
        };
        let blob = blob.to_owned();
        let mut union = decoding(id, move || Lines::decode(&blob, &Limits::default())).await?;
        let mut measured = Lines::default();
        for part in writer.other_parts_of(id, None).await?.parts {
            let Some(blob) = self.encoded_part_lines(id, &part.details.name).await? else {
                continue;
            };
            let (root, details) = (files.root.clone(), part.details);
            let unite = move || {
                let limits = Limits::default();
                let of_union = UnionOfParts {
                    lines: &union,
                    root: &root,
                };
                let of_part = PartRoot {
                    folder: &details.root,
                    is_stated: details.is_root_stated,
                };
                let lines = of_union.renamed(Lines::decode(&blob, &limits)?, of_part)?;
                Ok((measured.united(lines, &limits)?, union))
            };
            (measured, union) = decoding(id, unite).await?;
        }
        Ok(Some(measured))
    }
}

/// `None` if the record has no lines, or if the history is larger than what is kept.
fn computed(
    head: &Side,
    measured: Option<Lines>,
    base: Option<Base>,
) -> Result<Option<Computed>, StoreError> {
    let Some(lines) = head.lines()? else {
        return Ok(None);
    };
    let limits = Limits::default();
    let changes = head.changes()?.unwrap_or_default();
    let before = base.as_ref().map(|base| HistoryBase {
        record: base.id,
        lines: &base.lines,
        history: &base.history,
        changes: &changes,
    });
    let history = History::of(head.id, &lines, measured.as_ref().unwrap_or(&lines), before);
    let encoded = history.encode(&lines, &limits);
    let counts = history.counts(&lines).encode(&limits);
    let (Ok(history), Ok(counts)) = (encoded, counts) else {
        return Ok(None);
    };
    Ok(Some(Computed {
        base_id: base.map(|base| base.id),
        history,
        counts,
    }))
}
