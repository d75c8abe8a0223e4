//! Stores analyses: JSON, compressed with zstd, with the revisions of the records that they were derived from.

use super::Analysis;
use crate::{
    Store, StoreError,
    columns::Columns,
    packed::{packed, unpacked},
    run::Run,
};
use domain::ChangedLines;

/// An analysis that unpacks to more bytes is not read.
const MAX_UNPACKED_BYTES: u64 = 64 << 20;

/// The revisions that an analysis was derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    revision: i64,
    /// The id of the base and its revision.
    base: Option<(i64, i64)>,
}

pub(super) struct Found {
    /// The key that an analysis would have now.
    pub(super) key: Key,
    /// The stored analysis, if it is current.
    pub(super) analysis: Option<Analysis>,
}

pub(crate) const FIND: &str = "
    select r.revision, b.revision as base_revision,
           case when a.revision = r.revision and coalesce(a.base_id, 0) = coalesce(b.id, 0)
                     and coalesce(a.base_revision, 0) = coalesce(b.revision, 0) then a.analysis end as analysis
    from records r
    left join records b on b.id = $2
    left join record_analyses a on a.record_id = r.id
    where r.id = $1";

const KEEP: &str = "
    insert into record_analyses (
        record_id, revision, base_id, base_revision, analysis, changed_covered, changed_coverable
    )
    select r.id, $2, $3, $4, $5, $6, $7 from records r where r.id = $1
    on conflict (record_id) do update set
        revision = excluded.revision,
        base_id = excluded.base_id,
        base_revision = excluded.base_revision,
        analysis = excluded.analysis,
        changed_covered = excluded.changed_covered,
        changed_coverable = excluded.changed_coverable";

/// Finds the stored analysis of a record with this base; `None` if the record does not exist.
pub(super) async fn find(
    store: &Store,
    record_id: i64,
    base_id: Option<i64>,
) -> Result<Option<Found>, StoreError> {
    let found: Option<(i64, Option<i64>, Option<Vec<u8>>)> =
        store.first(FIND, (record_id, base_id)).await?;
    Ok(found.map(|(revision, base_revision, packed)| Found {
        key: Key {
            revision,
            base: base_id.zip(base_revision),
        },
        analysis: packed.and_then(|packed| unpacked(&packed, MAX_UNPACKED_BYTES)),
    }))
}

/// Stores an analysis, unless its record was deleted meanwhile.
pub(super) async fn keep(
    store: &Store,
    record_id: i64,
    key: Key,
    analysis: &Analysis,
) -> Result<(), StoreError> {
    let Some(packed) = packed(analysis, MAX_UNPACKED_BYTES) else {
        return Ok(());
    };
    // Lists show no numbers that are only partly known.
    let changed = analysis.changed.as_ref();
    let changed = changed.filter(|changed| changed.unknown.is_none());
    let values = (
        record_id,
        key.revision,
        key.base.map(|(id, _)| id),
        key.base.map(|(_, revision)| revision),
        packed,
        Columns(changed.map(ChangedLines::count)),
    );
    store.write(|pool| pool.run(KEEP, values)).await
}
