//! Deletes a part of a record. The record becomes the union of the remaining parts.

use super::put;
use crate::{
    Scope, StoreError, Writer,
    actor::Actor,
    audit::{self, AuditChange},
    carry,
    columns::Columns,
    lines, orphaned_reports,
    parts::{Completion, Union, elsewhere, measured, of_record, remove, show_newest_report},
    record_details, revision,
    run::Run,
    sources,
    standing::{Claim, StoredKey, Trust, earlier_upload},
};
use domain::{AuditAction, PartName, PartSet, Percentage, Repository, Timestamp};
use sqlx::AnyConnection;

/// The rest of a record without one of its measured parts.
#[derive(Clone, Debug)]
pub struct Remaining {
    /// The measured parts, with the times of their uploads. If the stored parts differ, nothing changes.
    pub parts: Vec<(PartName, Timestamp)>,
    /// The union of these parts.
    pub union: Union,
}

/// A deleted part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeletedPart {
    /// The repository of the record.
    pub repository: Repository,
    /// The time under which the HTML report is marked for removal.
    pub at: Timestamp,
    /// The key of the part's HTML report.
    pub report: Option<String>,
}

impl Writer<'_> {
    /// Deletes a part of a record in `scopes`; `None` if there is no such part. `remaining` is the rest of the record; it is
    /// needed if the part was measured. The record does not wait for the part any more. The caller then removes the HTML report
    /// from the storage.
    ///
    /// # Errors
    ///
    /// [`StoreError::OnlyPart`], [`StoreError::PartsChanged`]. After an error, nothing has changed.
    pub async fn delete_part(
        self,
        record_id: i64,
        part: &PartName,
        remaining: Option<&Remaining>,
        scopes: &[Scope],
        by: &Actor,
    ) -> Result<Option<DeletedPart>, StoreError> {
        let mut transaction = self.store.begin().await?;
        let found = StoredKey::hold(&mut transaction, record_id).await?;
        let Some((held, key)) = found.filter(|(held, _)| {
            let mut scopes = scopes.iter();
            scopes.any(|scope| scope.covers(&held.repository))
        }) else {
            return transaction.unchanged(None).await;
        };
        let rows = of_record(&mut transaction, record_id).await?;
        let Some(row) = rows.iter().find(|row| row.name == *part) else {
            // A record without rows of parts has the unnamed part alone.
            return match rows.is_empty() && !part.is_named() {
                true => Err(StoreError::OnlyPart),
                false => transaction.unchanged(None).await,
            };
        };
        let (at, series) = (held.last_upload_at, key.series());
        let earlier = earlier_upload(&mut transaction, series, &key.commit).await?;
        let Some(earlier) = earlier else {
            return transaction.unchanged(None).await;
        };
        let mut after = earlier.percentage;
        if row.is_measured() {
            let others = measured(&rows, Some(part));
            let Some(remaining) = remaining.filter(|remaining| remaining.parts == others) else {
                return Err(match others.is_empty() {
                    true => StoreError::OnlyPart,
                    false => StoreError::PartsChanged,
                });
            };
            after = give(&mut transaction, record_id, remaining, at).await?;
        }
        remove(&mut transaction, record_id, std::slice::from_ref(row)).await?;
        sources::remove(&mut transaction, record_id, part).await?;
        if let Some(key) = &row.report_key {
            orphaned_reports::mark_deleted_at_once(&mut transaction, key, at).await?;
        }
        show_newest_report(&mut transaction, record_id).await?;
        revision::measure(&mut transaction, record_id).await?;
        let mut completion = Completion::of_record(&mut transaction, record_id).await?;
        let arrived: PartSet = rows
            .iter()
            .filter(|row| row.name != *part)
            .map(|row| row.name.clone())
            .collect();
        let trust = completion.trust_of(&earlier);
        completion.forget(part);
        completion.elsewhere = elsewhere(&mut transaction, series, &key.commit, trust).await?;
        let missing = completion.missing(&arrived);
        if missing.is_empty() {
            completion.waits_until = None;
        }
        completion.store(&mut transaction, record_id, at).await?;
        if trust == Trust::Confirmed {
            let claim = match missing.is_empty() {
                true => Claim::Complete { is_part: true },
                false => Claim::Incomplete(missing),
            };
            put(&mut transaction, held.id, series, &earlier, claim, at).await?;
        }
        let subject = format!(
            "part {part} of record {record_id}: {}, {}, {}",
            key.branch, key.language, key.commit
        );
        let change = AuditChange::of(AuditAction::PartDeleted, &held.repository, subject)
            .before(format!("{} %", earlier.percentage))
            .after(format!("{after} %"));
        audit::write(&mut transaction, by, &change).await?;
        transaction.commit().await?;
        Ok(Some(DeletedPart {
            repository: held.repository,
            at,
            report: row.report_key.clone(),
        }))
    }
}

/// Gives the record the numbers of `remaining`. If one part remains, the record gets the totals that the tool of the part states.
pub(super) async fn give(
    connection: &mut AnyConnection,
    record_id: i64,
    remaining: &Remaining,
    at: Timestamp,
) -> Result<Percentage, StoreError> {
    const OF_UNION: &str = "
        update records set
            percentage_basis_points = $2, lines_covered = $3, lines_total = $4, branches_covered = $5,
            branches_total = $6, functions_covered = null, functions_total = null
        where id = $1";
    const OF_PART: &str = "
        update records set
            percentage_basis_points = q.percentage_basis_points, lines_covered = q.lines_covered,
            lines_total = q.lines_total, branches_covered = q.branches_covered, branches_total = q.branches_total,
            functions_covered = q.functions_covered, functions_total = q.functions_total,
            report_format = q.report_format
        from record_parts q
        where records.id = $1 and q.record_id = $1 and q.part = $2
        returning records.percentage_basis_points";
    const LINES_OF_RECORD: &str = "
        update record_parts set lines = null, tests = null where record_id = $1 and part = $2";
    let union = &remaining.union;
    record_details::store(connection, record_id, &union.details).await?;
    lines::store(connection, record_id, Some(&union.line_states), at).await?;
    carry::store(connection, record_id, &union.carried).await?;
    let ([(part, _)], true) = (&remaining.parts[..], union.carried.is_empty()) else {
        let percentage = union.lines.percentage();
        let counts = (Columns(Some(union.lines)), Columns(union.branches));
        let values = (record_id, percentage, counts.0, counts.1);
        connection.run(OF_UNION, values).await?;
        return Ok(percentage);
    };
    let percentage = connection.value(OF_PART, (record_id, part)).await?;
    connection.run(LINES_OF_RECORD, (record_id, part)).await?;
    Ok(percentage)
}
