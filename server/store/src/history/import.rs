//! Imports old records: one repository at a time, in one transaction. All data derived from records (places, counts,
//! summaries) is then as if they had been uploaded at their own times.

use super::HistoryRecord;
use crate::{
    Operator, StoreError, Unsigned,
    columns::Columns,
    counts,
    holding::{self, Moment},
    lines, main_records,
    publish::branch_id,
    run::Run,
    sources,
};
use domain::{Repository, Timestamp};
use sqlx::AnyConnection;
use std::collections::{BTreeMap, HashMap, hash_map::Entry};

/// The result of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// New records.
    pub added: u64,
    /// Records that already existed, from an upload or an earlier import of the same commit. They stay unchanged.
    pub known: u64,
}

/// The last of the added records of each branch and language: when it was uploaded, and until when it was current.
type Lasts = BTreeMap<(i64, String), (i64, Option<i64>)>;

impl Operator<'_> {
    /// Imports records of one repository.
    ///
    /// In each branch and language the last uploaded record is current, as after uploads, unless it states when that
    /// ended.
    pub async fn import(
        self,
        repository: &Repository,
        records: &[HistoryRecord],
    ) -> Result<Imported, StoreError> {
        let Some(last_upload_at) = records.iter().map(|record| record.updated_at.0).max() else {
            return Ok(Imported::default());
        };
        let mut transaction = self.store.begin().await?;
        let at = Moment::At(Timestamp(last_upload_at));
        let repository_id = holding::hold_or_add(&mut transaction, repository, at)
            .await?
            .id;
        let (mut imported, mut lasts) = (Imported::default(), Lasts::new());
        let mut moments = Moments::new();
        for record in records {
            let branch_id = branch_id(&mut transaction, repository_id, &record.branch).await?;
            match add(
                &mut transaction,
                repository_id,
                branch_id,
                record,
                &mut moments,
            )
            .await?
            {
                None => imported.known += 1,
                Some(updated_at) => {
                    imported.added += 1;
                    if record.unconfirmed_at.is_some() {
                        continue;
                    }
                    let superseded_at = record.superseded_at.map(|at| at.0);
                    let last = lasts
                        .entry((branch_id, record.language.to_string()))
                        .or_insert((updated_at, superseded_at));
                    if updated_at >= last.0 {
                        *last = (updated_at, superseded_at);
                    }
                }
            }
        }
        for ((branch_id, language), (updated_at, superseded_at)) in lasts {
            settle_current(
                &mut transaction,
                branch_id,
                &language,
                updated_at,
                superseded_at,
            )
            .await?;
        }
        counts::recount(&mut transaction, repository_id).await?;
        note_last_upload(&mut transaction, repository_id).await?;
        main_records::refresh(&mut transaction, repository_id).await?;
        transaction.commit().await?;
        Ok(imported)
    }
}

/// Adds a record that is not current yet, and returns the time of its last upload. None if the commit already has a
/// record.
async fn add(
    connection: &mut AnyConnection,
    repository_id: i64,
    branch_id: i64,
    record: &HistoryRecord,
    moments: &mut Moments,
) -> Result<Option<i64>, StoreError> {
    const IS_KNOWN: &str = "
        select count(*) from records where branch_id = $1 and language = $2 and commit_hash = $3";
    const INSERT: &str = "
        insert into records (
            repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points,
            lines_covered, lines_total, branches_covered, branches_total, functions_covered, functions_total,
            report_format, created_at, updated_at, superseded_at, unconfirmed_at, report_key, report_start_page, report_bytes
        ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
        returning id";
    let known: i64 = connection
        .value(IS_KNOWN, (branch_id, &record.language, &record.commit))
        .await?;
    if known > 0 {
        sources::import(connection, repository_id, None, &record.sources).await?;
        return Ok(None);
    }
    let updated_at = free_moment(connection, branch_id, record, moments).await?;
    let report = match &record.report {
        Some(report) if is_free(connection, &report.key).await? => Some(report),
        _ => None,
    };
    let values = (
        repository_id,
        branch_id,
        &record.language,
        &record.commit,
        &record.author,
        record.percentage,
        Columns(record.lines),
        Columns(record.branches),
        Columns(record.functions),
        &record.report_format,
        record.created_at,
        updated_at,
        // Until it is known whether it is the last record.
        record.superseded_at.map_or(updated_at, |at| at.0),
        record.unconfirmed_at.map(|at| at.0),
        report.map(|report| report.key.as_str()),
        report.and_then(|report| report.start_page.as_deref()),
        report.map(|report| Unsigned(report.bytes)),
    );
    let id: i64 = connection.value(INSERT, values).await?;
    // They are reviewed soon, and deleted if they would have expired here.
    if let Some(lines) = &record.line_states {
        lines::store(connection, id, Some(lines), Timestamp(updated_at)).await?;
        sources::import(connection, repository_id, Some(id), &record.sources).await?;
    }
    Ok(Some(updated_at))
}

/// Whether a stored report belongs to no record, and is not about to be removed.
async fn is_free(connection: &mut AnyConnection, key: &str) -> Result<bool, StoreError> {
    const USES: &str = "
        select (select count(*) from records where report_key = $1)
               + (select count(*) from record_parts where report_key = $1)
               + (select count(*) from orphaned_reports where key = $1)";
    let uses: i64 = connection.value(USES, [key]).await?;
    Ok(uses == 0)
}

/// The last time given to a branch and language for records that state the same time.
type Moments = HashMap<(i64, String, i64), i64>;

/// Returns the first free time for the branch and language, from the stated one on: no two records may have the same.
/// Histories that only know days state the same time very often.
async fn free_moment(
    connection: &mut AnyConnection,
    branch_id: i64,
    record: &HistoryRecord,
    moments: &mut Moments,
) -> Result<i64, StoreError> {
    // The end of the run of used times.
    const FREE: &str = "
        select min(t.updated_at) + 1 from records t
        where t.branch_id = $1 and t.language = $2 and t.updated_at >= $3 and t.unconfirmed_at is null
          and not exists (select 1 from records n
                          where n.branch_id = $1 and n.language = $2 and n.updated_at = t.updated_at + 1
                            and n.unconfirmed_at is null)";
    const IS_TAKEN: &str = "
        select count(*) from records
        where branch_id = $1 and language = $2 and updated_at = $3 and unconfirmed_at is null";
    let stated = record.updated_at.0;
    let last = moments.entry((branch_id, record.language.to_string(), stated));
    let wanted = match &last {
        Entry::Occupied(last) => last.get() + 1,
        Entry::Vacant(_) => stated,
    };
    let is_taken: i64 = connection
        .value(IS_TAKEN, (branch_id, &record.language, wanted))
        .await?;
    let free = if is_taken == 0 {
        wanted
    } else {
        connection
            .value(FREE, (branch_id, &record.language, wanted))
            .await?
    };
    *last.or_insert(free) = free;
    Ok(free)
}

/// Makes the last record of a branch and language current, as its upload would have, unless it states when that ended.
async fn settle_current(
    connection: &mut AnyConnection,
    branch_id: i64,
    language: &str,
    updated_at: i64,
    superseded_at: Option<i64>,
) -> Result<(), StoreError> {
    // Each until its stated end, else until the next record.
    const SUPERSEDE: &str = "
        update records set superseded_at = coalesce(
            (select min(h.updated_at) from records h
             where h.branch_id = records.branch_id and h.language = records.language
               and h.unconfirmed_at is null and h.updated_at > records.updated_at),
            superseded_at)
        where branch_id = $1 and language = $2 and updated_at < $3
          and unconfirmed_at is null and (superseded_at is null or superseded_at = updated_at)";
    const LAST: &str = "
        update records set superseded_at = coalesce(
            $4,
            (select min(h.updated_at) from records h
             where h.branch_id = records.branch_id and h.language = records.language
               and h.unconfirmed_at is null and h.updated_at > records.updated_at))
        where branch_id = $1 and language = $2 and updated_at = $3 and unconfirmed_at is null";
    connection
        .run(SUPERSEDE, (branch_id, language, updated_at))
        .await?;
    connection
        .run(LAST, (branch_id, language, updated_at, superseded_at))
        .await
}

/// Stores the time that the next upload follows.
pub(crate) async fn note_last_upload(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    const NOTE: &str = "
        update repositories set last_upload_at = coalesce(
            (select max(h.updated_at) from records h where h.repository_id = repositories.id), last_upload_at)
        where id = $1";
    connection.run(NOTE, [repository_id]).await
}
