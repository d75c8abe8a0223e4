//! Computes the history of a record's lines from its base, and stores it.

use super::base::BaseVersion;
use crate::{
    Store, StoreError, Writer,
    analysis::Side,
    blocking::{blocking, decoding},
    flicker::SERIES,
    revision,
    run::Run,
};
use ::lines::{History, HistoryBase, Limits, Lines, PartRoot, UnionOfParts};
use domain::text::chain;
use sha2::{Digest, Sha256};

/// How often a history is computed again because its base changed meanwhile. After these attempts, the task that changes the base computes
/// the history.
const MAX_ATTEMPTS: usize = 5;

pub(super) const STORED: &str = "
    select h.revision, h.version, h.base_version from record_histories h where h.record_id = $1";

pub(super) const LINK: &str = "select c.base_id from record_chain c where c.record_id = $1";

/// If no base is found now, the stored link stays, even to a deleted base: the chains of later records need it. Nothing is stored if the
/// lines have changed meanwhile.
const KEEP_LINK: &str = "
    insert into record_chain (record_id, base_id, repository_id)
    select r.id, $3, r.repository_id from records r where r.id = $1 and r.revision = $2
    on conflict (record_id) do update set
        base_id = coalesce(excluded.base_id, record_chain.base_id),
        repository_id = excluded.repository_id";

/// Nothing is stored if the lines have changed meanwhile: their upload computes the history again.
pub(super) const KEEP: &str = "
    insert into record_histories (record_id, revision, history, counts, version, base_version)
    select r.id, r.revision, $3, $4, $5, $6 from records r
    join record_lines l on l.record_id = r.id
    where r.id = $1 and r.revision = $2
    on conflict (record_id) do update set
        revision = excluded.revision,
        history = excluded.history,
        counts = excluded.counts,
        version = excluded.version,
        base_version = excluded.base_version";

pub(super) const REVISION: &str = "select revision from records where id = $1";

/// The record before.
struct Base {
    id: i64,
    lines: Lines,
    history: History,
}

/// A history that is not stored yet.
pub(super) struct Computed {
    record_id: i64,
    revision: i64,
    base: BaseVersion,
    /// Whether the base was lost: later records know more than this one.
    has_lost_base: bool,
    encoded: Encoded,
}

struct Encoded {
    base_id: Option<i64>,
    history: Vec<u8>,
    counts: Vec<u8>,
    version: i64,
}

impl Writer<'_> {
    /// Computes and stores the history of a record's lines. Returns the later records whose stored history is missing, or was
    /// not computed from the new history of this record. Returns no record if this record has lost its base. Nothing happens if the
    /// record is not a complete record of the main branch.
    ///
    /// # Errors
    ///
    /// [`StoreError::Lines`] if stored lines or changes are damaged.
    pub(super) async fn keep_line_history(self, record_id: i64) -> Result<Vec<i64>, StoreError> {
        match self.computed_history(record_id).await? {
            Some(computed) => self.keep_computed_history(computed).await,
            None => Ok(Vec::new()),
        }
    }

    pub(super) async fn computed_history(
        self,
        record_id: i64,
    ) -> Result<Option<Computed>, StoreError> {
        let store = self.store;
        let of_main: Option<(i64, String)> = store.first(SERIES, [record_id]).await?;
        let revision: Option<i64> = store.first_value(REVISION, [record_id]).await?;
        let (Some(_), Some(revision)) = (of_main, revision) else {
            return Ok(None);
        };
        let Some(head) = Side::read(store, record_id).await? else {
            return Ok(None);
        };
        // The version first: if the history of the base changes before it is read, `keep_computed_history` finds another version.
        let version = self.base_version(&head).await?;
        let base = self.history_base(version).await?;
        let measured = store.measured_lines(&head).await?;
        let link: Option<Option<i64>> = store.first_value(LINK, [record_id]).await?;
        let has_lost_base = base.is_none() && link.flatten().is_some();
        // A history of the same lines that was computed while the base existed is stored.
        if has_lost_base && version.is_none() {
            let stored: Option<(i64, i64, Option<i64>)> = store.first(STORED, [record_id]).await?;
            if stored.is_some_and(|(of, ..)| of == revision) {
                return Ok(None);
            }
        }
        let encoded = blocking(move || encoded(&head, measured, base)).await??;
        Ok(encoded.map(|encoded| Computed {
            record_id,
            revision,
            base: version,
            has_lost_base,
            encoded,
        }))
    }

    /// Stores a history, and computes it again if its base has another history by then. So the result does not depend on the
    /// order in which tasks and instances finish.
    pub(super) async fn keep_computed_history(
        self,
        mut computed: Computed,
    ) -> Result<Vec<i64>, StoreError> {
        let id = computed.record_id;
        for _ in 0..MAX_ATTEMPTS {
            let (base, has_lost_base) = (computed.base, computed.has_lost_base);
            if !self.store_history(computed).await? {
                return Ok(Vec::new());
            }
            let head = Side::outline(self.store, id).await?;
            let Some(head) = head else { break };
            if self.base_version(&head).await? == base {
                return match has_lost_base {
                    true => Ok(Vec::new()),
                    false => self.later_histories(id).await,
                };
            }
            match self.computed_history(id).await? {
                Some(again) => computed = again,
                None => break,
            }
        }
        Ok(Vec::new())
    }

    /// Returns whether the history is stored: not if the lines have changed meanwhile.
    async fn store_history(self, computed: Computed) -> Result<bool, StoreError> {
        let (store, id, revision) = (self.store, computed.record_id, computed.revision);
        let Encoded {
            base_id,
            history,
            counts,
            version,
        } = computed.encoded;
        let base_version = computed.base.map(|(_, version)| version);
        let stored: Option<(i64, i64, Option<i64>)> = store.first(STORED, [id]).await?;
        let mut is_stored = stored == Some((revision, version, base_version));
        let link: Option<Option<i64>> = store.first_value(LINK, [id]).await?;
        let is_linked = link.is_some_and(|link| base_id.is_none() || link == base_id);
        // No transaction: if the shutdown stops this task, an open transaction would keep its lock. The link comes first, because readers
        // look for the records of a history in its chain.
        if !is_linked {
            let values = (id, revision, base_id);
            if store.write(|pool| pool.changed(KEEP_LINK, values)).await? == 0 {
                return Ok(false);
            }
        }
        if !is_stored {
            let values = (id, revision, history, counts, version, base_version);
            if store.write(|pool| pool.changed(KEEP, values)).await? == 0 {
                return Ok(false);
            }
            store
                .write(|pool| pool.run(revision::MEASURE, [id]))
                .await?;
        }
        is_stored &= is_linked;
        if !is_stored {
            store.forget_new_code(id).await?;
        }
        Ok(true)
    }

    /// The lines of a base with their history. A damaged history is logged and counts as none.
    async fn history_base(self, version: BaseVersion) -> Result<Option<Base>, StoreError> {
        let Some((id, _)) = version else {
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
    /// The lines of the measured parts of a record that carries parts: a carried part did not run in the record. `None` if no part is
    /// carried.
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
fn encoded(
    head: &Side,
    measured: Option<Lines>,
    base: Option<Base>,
) -> Result<Option<Encoded>, StoreError> {
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
    Ok(Some(Encoded {
        base_id: base.map(|base| base.id),
        version: version(head.encoded_lines().unwrap_or_default(), &history),
        history,
        counts,
    }))
}

/// Identifies a history and its lines.
pub(super) fn version(lines: &[u8], history: &[u8]) -> i64 {
    let hash = Sha256::new().chain_update(lines).chain_update(history);
    let hash = hash.finalize();
    hash.first_chunk()
        .map_or(0, |bytes| i64::from_be_bytes(*bytes))
}
