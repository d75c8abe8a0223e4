//! The order in which an upload becomes visible and the replaced report is removed. After a crash at any point, no
//! acknowledged upload is lost, no partial upload is visible, and every leftover file is known.
//!
//! 1. The report's key is [reserved](store::Writer::reserve_report).
//! 2. The report is synced and renamed to its key. In a bucket, its last part is sent and the upload is completed.
//! 3. One transaction assigns the key to the record, and marks the key of the replaced report for deletion.
//! 4. Marked reports are removed from the storage, then from the database. A report that no record ever pointed to is
//!    removed at once. The sweeper of `jobs` removes a replaced one after the grace period, because an
//!    older copy of the database may point to it.

use super::{Ingest, IngestError, lines::Content, part_names, sources, union};
use crate::removal::{IfMissing, log_failure, remove, remove_marked};
use domain::{PartName, text::chain};
use objects::StagedReport;
use store::{DeletedPart, NewRecord, Published, Scope, Standing, StoreError, actor::Actor};
use tokio::task;

/// Stores the report, which no record points to yet, and returns its key and its size in bytes.
pub(super) async fn store_report(
    ingest: &Ingest,
    staged: StagedReport,
) -> Result<(String, u64), IngestError> {
    let key = staged.key.clone();
    ingest.store.writer().reserve_report(&key).await?;
    let reports = ingest.reports.clone();
    let stored = task::spawn_blocking(move || reports.store(staged));
    match stored.await? {
        Ok(bytes) => Ok((key, bytes)),
        Err(error) => {
            discard(ingest, &key, IfMissing::after(&error)).await;
            Err(error.into())
        }
    }
}

/// Stores the record, and makes it current if it may be. Removes the replaced report if there is no grace period, and earlier replaced
/// reports whose grace period a quota ended. `content` is what `new` has of each line, if it is still in memory. Also returns notices for
/// the uploader, one sentence each.
pub(super) async fn store_record(
    ingest: &Ingest,
    mut new: NewRecord,
    content: Option<Content>,
    naming: Naming,
) -> Result<(Published, Vec<String>), IngestError> {
    let mut notices = Vec::new();
    let published = unite_and_store(ingest, &mut new, content, &mut notices, naming).await;
    for key in published.iter().flat_map(|done| &done.replaced_reports) {
        // The URLs of the record now lead to the new version.
        ingest.reports.close(key);
    }
    let uploaded = new.report.as_ref().map(|report| report.key.as_str());
    let uploaded = uploaded.into_iter();
    let unused: Vec<&str> = match &published {
        Ok(published) if matches!(published.standing, Standing::Kept(_)) => uploaded.collect(),
        Ok(published) if ingest.grace.is_zero() => {
            let replaced = published.replaced_reports.iter();
            replaced.map(String::as_str).collect()
        }
        Ok(_) => Vec::new(),
        Err(_) => uploaded.collect(),
    };
    for key in unused {
        discard(ingest, key, IfMissing::Forget).await;
    }
    let mut published = published?;
    let changed = reunite_without_arrived(ingest, &new, &published).await;
    published.completed.extend(changed);
    published.completed.sort_unstable();
    published.completed.dedup();
    remove_marked(&ingest.store, &ingest.reports, &published.crowded_out).await;
    Ok((published, notices))
}

/// Which part an upload stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// The part with the name of the upload. It replaces an earlier one.
    AsStated,
    /// Another part with a digest in its name, if the part with the name of the upload has another result.
    BesideOthers,
}

/// How often a union is repeated because other parts arrive in the meantime.
const ATTEMPTS: u32 = 100;

/// Unites the upload with the other parts of its commit outside of the transaction, and repeats this if they have changed in the
/// meantime.
async fn unite_and_store(
    ingest: &Ingest,
    new: &mut NewRecord,
    mut content: Option<Content>,
    notices: &mut Vec<String>,
    naming: Naming,
) -> Result<Published, IngestError> {
    let quotas = ingest.limits.quotas();
    let stated = new.part.name.clone();
    let (mut turn, mut left_out) = (None, None);
    for _ in 0..ATTEMPTS {
        if naming == Naming::BesideOthers {
            part_names::choose(&ingest.store, new, &stated).await?;
        }
        let others = union::others(&ingest.store, new).await?;
        let carried = union::carried(&ingest.store, new, &others).await?;
        if turn.is_none() && !(others.parts.is_empty() && carried.sources.is_empty()) {
            turn = Some(ingest.turns.unite(&new.stated.repository).await?);
            // While this upload waited for its turn, another upload may have added a part.
            continue;
        }
        let both = match others.record_id.filter(|_| others.has_part) {
            Some(record_id) => union::both_states(ingest, record_id, new, &mut turn).await?,
            None => None,
        };
        new.part.united =
            union::of_upload(&ingest.store, new, content.take(), others, &carried).await?;
        let published = match ingest.store.writer().publish_within(new, &quotas).await {
            Err(StoreError::PartsChanged) => continue,
            // The numbers matter more than the text, of which only what is stored already is kept.
            Err(StoreError::Quota(quota)) if sources::leave_out_texts(&mut new.sources) => {
                left_out = Some(sources::beyond(&quota));
                continue;
            }
            published => published?,
        };
        *notices = carried.notices.into_iter().chain(left_out).collect();
        let record_id = published.record.id;
        if let Some(both) = both
            && let Err(error) = ingest.store.writer().keep_rerun(record_id, &both).await
        {
            let cause = chain(&error);
            tracing::error!(record_id, cause, "cannot keep which lines flicker");
        }
        return Ok(published);
    }
    Err(StoreError::PartsChanged.into())
}

/// If a part is measured in one language of a commit, records of the same commit in other languages must no longer carry it. Unites these
/// records again, and the uploaded record if it carries a part that arrived elsewhere during its union. Returns the other records that
/// have changed. The upload is stored already, so a failure is only logged, and the part stays carried until the next upload of its record.
async fn reunite_without_arrived(
    ingest: &Ingest,
    new: &NewRecord,
    published: &Published,
) -> Vec<i64> {
    let part = &new.part.name;
    // An unconfirmed upload changes no other record.
    let changes_no_other = matches!(
        published.standing,
        Standing::Kept(_) | Standing::Unconfirmed(_) | Standing::Provisional
    );
    if !part.is_named() || changes_no_other {
        return Vec::new();
    }
    let carrying = ingest
        .store
        .writer()
        .carrying_elsewhere(new.stated.key(), part);
    let carrying = carrying.await.unwrap_or_else(|error| {
        let cause = chain(&error);
        tracing::error!(cause, "cannot find records that carry an arrived part");
        Vec::new()
    });
    let own = published.record.id;
    let has_carried = new.union().is_some_and(|union| !union.carried.is_empty());
    let mut changed = Vec::new();
    for record_id in carrying.into_iter().chain(has_carried.then_some(own)) {
        let arrived = (record_id != own).then_some(part);
        match reunite(ingest, record_id, arrived, &new.by).await {
            Ok(is_changed) => changed.extend(is_changed.then_some(record_id)),
            Err(error) => {
                let cause = chain(&error);
                tracing::warn!(
                    record_id,
                    cause,
                    "a part stays carried although it has arrived"
                );
            }
        }
    }
    changed.retain(|id| *id != own);
    changed
}

/// Unites a record again without the carried part `arrived`; with `None`, without every carried part that it may no longer carry. With
/// `arrived`, nothing changes if other parts would have to go too: an old record keeps the parts that it carries.
async fn reunite(
    ingest: &Ingest,
    record_id: i64,
    arrived: Option<&PartName>,
    by: &Actor,
) -> Result<bool, IngestError> {
    let (store, writer) = (&ingest.store, ingest.store.writer());
    let Some(names) = store.everything().names_of_record(record_id).await? else {
        return Ok(false);
    };
    // Without settings, nothing says whether equal names in two languages mean the same part.
    if writer.settings_of_main(&names.repository).await?.is_none() {
        return Ok(false);
    }
    let mut turn = None;
    for _ in 0..ATTEMPTS {
        let others = writer.other_parts_of(record_id, None).await?;
        let already = writer.carried_parts(record_id).await?;
        let carried = union::carried_again(store, record_id, &names, &others, Some(&already));
        let carried = carried.await?;
        let dropped = already.without(&carried.names().collect());
        let is_it = arrived.is_none_or(|part| dropped.names().eq([part]));
        if dropped.is_empty() || !is_it {
            return Ok(false);
        }
        if turn.is_none() {
            turn = Some(ingest.turns.unite(&names.repository).await?);
        }
        let Some(parts) = union::reunited(store, record_id, others, &carried).await? else {
            return Ok(false);
        };
        match writer.reunite(record_id, &parts, by).await {
            Err(StoreError::PartsChanged) => {}
            reunited => return Ok(reunited.map(|()| true)?),
        }
    }
    Err(StoreError::PartsChanged.into())
}

impl Ingest {
    /// Deletes a part of a record in `scopes`. `None` if the part does not exist. The caller then removes its HTML report. The
    /// union is repeated if other parts arrive in the meantime.
    ///
    /// # Errors
    ///
    /// If it is the only part, if the lines of the other parts have expired, or when the database fails. Then nothing has
    /// changed.
    pub async fn delete_part(
        &self,
        record_id: i64,
        part: &PartName,
        scopes: &[Scope],
        by: &Actor,
    ) -> Result<Option<DeletedPart>, IngestError> {
        let (store, writer) = (&self.store, self.store.writer());
        // A caller outside of `scopes` must not learn whether the record exists, and must not cause a union.
        let names = store.everything().names_of_record(record_id).await?;
        let Some(names) = names.filter(|names| {
            let mut scopes = scopes.iter();
            scopes.any(|scope| scope.covers(&names.repository))
        }) else {
            return Ok(None);
        };
        let _turn = self.turns.unite(&names.repository).await?;
        for _ in 0..ATTEMPTS {
            let remaining = union::without(store, record_id, &names, part).await?;
            let deleted = writer.delete_part(record_id, part, remaining.as_ref(), scopes, by);
            match deleted.await {
                Err(StoreError::PartsChanged) => {}
                deleted => return Ok(deleted?),
            }
        }
        Err(StoreError::PartsChanged.into())
    }
}

/// Removes a report that no record points to. If this fails, the sweep removes it later.
async fn discard(ingest: &Ingest, key: &str, if_missing: IfMissing) {
    match ingest.store.writer().mark_deleted(key).await {
        Ok(true) => {
            remove(&ingest.store, &ingest.reports, key, if_missing).await;
        }
        // A record has the report: its commit succeeded although it reported an error.
        Ok(false) => {}
        Err(error) => log_failure(key, &error),
    }
}
