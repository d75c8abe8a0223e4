//! Merges the records of one repository into another, as if all records had been uploaded to that one.

use super::Merged;
use crate::{StoreError, counts, history, main_records, parts, run::Run, time::now};
use domain::Timestamp;
use sqlx::{AnyConnection, FromRow};

#[derive(FromRow)]
struct BothBranches {
    from_id: i64,
    to_id: i64,
}

/// A commit with a record in both repositories, in the same branch and language.
#[derive(FromRow)]
struct BothRecords {
    from_id: i64,
    to_id: i64,
    from_at: i64,
    to_at: i64,
    from_report: Option<String>,
    to_report: Option<String>,
    from_pinned_at: Option<i64>,
    to_pinned_at: Option<i64>,
    from_unconfirmed_at: Option<i64>,
    to_unconfirmed_at: Option<i64>,
}

impl BothRecords {
    /// Whether the record of the source stays: a confirmed record wins over an unconfirmed one, then the last upload wins.
    fn source_counts(&self) -> bool {
        let rank = |unconfirmed_at: Option<i64>, at| (unconfirmed_at.is_none(), at);
        rank(self.from_unconfirmed_at, self.from_at) > rank(self.to_unconfirmed_at, self.to_at)
    }
}

#[derive(FromRow)]
struct RecordMoment {
    id: i64,
    language: String,
    updated_at: i64,
}

/// Moves all records of `from` to `to`, and deletes `from`. Both must be locked, and the counts of the org of `from` must already
/// exclude its records.
pub(super) async fn merge(
    connection: &mut AnyConnection,
    from: i64,
    to: i64,
) -> Result<Merged, StoreError> {
    const BOTH: &str = "
        select b.id as from_id, o.id as to_id from branches b
        join branches o on o.repository_id = $2 and o.name = b.name
        where b.repository_id = $1
        order by b.id";
    for id in [from, to] {
        main_records::clear(connection, id).await?;
    }
    let mut merged = Merged::default();
    let both: Vec<BothBranches> = connection.all(BOTH, (from, to)).await?;
    for branches in both {
        merge_branch(connection, &branches, &mut merged).await?;
    }
    merged.records += take_over(connection, from, to).await?;
    counts::recount(connection, to).await?;
    history::note_last_upload(connection, to).await?;
    main_records::refresh(connection, to).await?;
    Ok(merged)
}

async fn merge_branch(
    connection: &mut AnyConnection,
    branches: &BothBranches,
    merged: &mut Merged,
) -> Result<(), StoreError> {
    const BOTH: &str = "
        select s.id as from_id, t.id as to_id, s.updated_at as from_at, t.updated_at as to_at,
               s.report_key as from_report, t.report_key as to_report,
               s.pinned_at as from_pinned_at, t.pinned_at as to_pinned_at,
               s.unconfirmed_at as from_unconfirmed_at, t.unconfirmed_at as to_unconfirmed_at
        from records s
        join records t on t.branch_id = $2 and t.language = s.language and t.commit_hash = s.commit_hash
        where s.branch_id = $1";
    // A record stays current until the next confirmed record of both branches, so that at most one record of a language is
    // current.
    const SUPERSEDE: &str = "
        update records set superseded_at = (
            select min(h.updated_at) from records h
            where h.branch_id in ($1, $2) and h.language = records.language and h.updated_at > records.updated_at
              and h.unconfirmed_at is null)
        where branch_id in ($1, $2)
          and exists (
            select 1 from records h
            where h.branch_id in ($1, $2) and h.language = records.language and h.updated_at > records.updated_at
              and h.unconfirmed_at is null
              and (records.superseded_at is null or h.updated_at < records.superseded_at))";
    const MOVE: &str = "update records set branch_id = $2 where branch_id = $1";
    let both: Vec<BothRecords> = connection
        .all(BOTH, (branches.from_id, branches.to_id))
        .await?;
    for records in both {
        merged.replaced += 1;
        merged.reports += u64::from(keep_last_upload(connection, records).await?);
    }
    tell_moments_apart(connection, branches).await?;
    for statement in [SUPERSEDE, MOVE] {
        connection
            .run(statement, (branches.from_id, branches.to_id))
            .await?;
    }
    connection
        .run("delete from branches where id = $1", [branches.from_id])
        .await
}

/// Merges two records of the same commit like a repeated upload: one record stays, and the HTML report of the other, if any, is
/// released. Pins stay. Returns whether a report was released.
async fn keep_last_upload(
    connection: &mut AnyConnection,
    both: BothRecords,
) -> Result<bool, StoreError> {
    // The ledger must point to the remaining record.
    const LEDGER: &str = "update uploads set record_id = $2 where record_id = $1";
    const RELEASED: &str = "update orphaned_reports set record_id = $2 where record_id = $1";
    const PIN: &str = "update records set pinned_at = coalesce(pinned_at, $2) where id = $1";
    const REMOVE: &str = "delete from records where id = $1";
    let (lost, lost_report, pinned_at, kept) = if both.source_counts() {
        (both.to_id, both.to_report, both.to_pinned_at, both.from_id)
    } else {
        (
            both.from_id,
            both.from_report,
            both.from_pinned_at,
            both.to_id,
        )
    };
    if let Some(at) = pinned_at {
        connection.run(PIN, (kept, at)).await?;
    }
    if let Some(key) = &lost_report {
        parts::release_all_reports(connection, lost, key, now()).await?;
    }
    for statement in [LEDGER, RELEASED] {
        connection.run(statement, (lost, kept)).await?;
    }
    connection.run(REMOVE, [lost]).await?;
    Ok(lost_report.is_some())
}

/// Makes the times unique: no two records of a branch and language may have the same time. Moves colliding times by a microsecond
/// each, in their order. The records of the remaining repository come last.
async fn tell_moments_apart(
    connection: &mut AnyConnection,
    branches: &BothBranches,
) -> Result<(), StoreError> {
    const COLLIDING: &str = "
        select count(*) from records s
        join records t on t.branch_id = $2 and t.language = s.language and t.updated_at = s.updated_at
        where s.branch_id = $1";
    const ALL: &str = "
        select id, language, updated_at from records
        where branch_id in ($1, $2)
        order by language, updated_at, case branch_id when $1 then 0 else 1 end, id";
    let colliding: i64 = connection
        .value(COLLIDING, (branches.from_id, branches.to_id))
        .await?;
    if colliding == 0 {
        return Ok(());
    }
    let records: Vec<RecordMoment> = connection
        .all(ALL, (branches.from_id, branches.to_id))
        .await?;
    for of_language in records.chunk_by(|one, other| one.language == other.language) {
        let mut last = Timestamp(i64::MIN);
        for record in of_language {
            let at = Timestamp(record.updated_at.max(last.0.saturating_add(1)));
            if at.0 != record.updated_at {
                let values = (record.id, at);
                connection
                    .run("update records set updated_at = $2 where id = $1", values)
                    .await?;
            }
            last = at;
        }
    }
    Ok(())
}

/// Moves all branches and records of `from` to `to`, and copies settings that `to` does not have. Returns the number of records.
async fn take_over(connection: &mut AnyConnection, from: i64, to: i64) -> Result<u64, StoreError> {
    const KNOWN: &str = "
        update repositories set
            configured_branch = coalesce(configured_branch, (select s.configured_branch from repositories s where s.id = $1)),
            forge = coalesce(forge, (select s.forge from repositories s where s.id = $1)),
            forge_repository_id = case when forge is null
                then (select s.forge_repository_id from repositories s where s.id = $1) else forge_repository_id end,
            forge_owner_id = case when forge is null
                then (select s.forge_owner_id from repositories s where s.id = $1) else forge_owner_id end,
            created_at = (select min(s.created_at) from repositories s where s.id in ($1, $2))
        where id = $2";
    const BRANCHES: &str = "update branches set repository_id = $2 where repository_id = $1";
    const RECORDS: &str = "update records set repository_id = $2 where repository_id = $1";
    const RELEASED: &str =
        "update orphaned_reports set repository_id = $2 where repository_id = $1";
    const CHAINS: &str = "update record_chain set repository_id = $2 where repository_id = $1";
    const TEXTS: &str = "update source_texts set repository_id = $2 where repository_id = $1";
    // Versions stay different, and a sweep of `to` sees the lists as new ones.
    const LISTS: &str = "
        update record_sources set repository_id = $2, version = version + (
            select coalesce(max(s.version), 0) from record_sources s where s.repository_id = $2)
        where repository_id = $1";
    const SWEEPS: &str = "update source_sweeps set repository_id = $2 where repository_id = $1";
    const PROVISIONAL: &str =
        "update provisional_records set repository_id = $2 where repository_id = $1";
    let statements = [
        KNOWN,
        BRANCHES,
        RELEASED,
        CHAINS,
        TEXTS,
        LISTS,
        SWEEPS,
        PROVISIONAL,
    ];
    for statement in statements {
        connection.run(statement, (from, to)).await?;
    }
    let moved = connection.changed(RECORDS, (from, to)).await?;
    connection
        .run("delete from repositories where id = $1", [from])
        .await?;
    Ok(moved)
}
