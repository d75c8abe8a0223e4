//! Writes the row of a record.

use super::NewRecord;
use crate::{
    StoreError,
    columns::{covered, total},
    standing::Decision,
};
use domain::{Count, Timestamp};
use sqlx::{AnyConnection, Row as _};

/// The values of a record besides the upload.
pub(super) struct Row<'a> {
    pub(super) repository_id: i64,
    pub(super) branch_id: i64,
    pub(super) at: Timestamp,
    /// The place of the record in its repository, if it is new.
    pub(super) number: i64,
    pub(super) decision: &'a Decision,
}

/// Inserts or updates the record. The caller ensures that an unconfirmed record never overwrites a confirmed one.
pub(super) async fn upsert(
    connection: &mut AnyConnection,
    new: &NewRecord,
    row: Row<'_>,
) -> Result<(i64, Timestamp), StoreError> {
    const UPSERT: &str = "
        insert into records (
            repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points,
            lines_covered, lines_total, branches_covered, branches_total, functions_covered, functions_total,
            report_format, report_key, report_start_page, created_at, updated_at, place, superseded_at, unconfirmed_at,
            report_bytes
        ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
        on conflict (branch_id, language, commit_hash) do update set
            commit_author = excluded.commit_author,
            percentage_basis_points = excluded.percentage_basis_points,
            lines_covered = excluded.lines_covered,
            lines_total = excluded.lines_total,
            branches_covered = excluded.branches_covered,
            branches_total = excluded.branches_total,
            functions_covered = excluded.functions_covered,
            functions_total = excluded.functions_total,
            report_format = excluded.report_format,
            report_key = excluded.report_key,
            report_start_page = excluded.report_start_page,
            report_bytes = excluded.report_bytes,
            report_removed_at = null,
            updated_at = excluded.updated_at,
            superseded_at = excluded.superseded_at,
            unconfirmed_at = excluded.unconfirmed_at
        returning id, created_at";
    let union = new.union();
    // Values that are unknown for a union are null.
    let alone = |count: Option<Count>| count.filter(|_| union.is_none());
    let lines = union.map(|union| union.lines).or(new.lines);
    let stored = sqlx::query(UPSERT)
        .bind(row.repository_id)
        .bind(row.branch_id)
        .bind(new.language.as_str())
        .bind(new.commit.as_str())
        .bind(new.author.as_str())
        .bind(i64::from(new.record_percentage().basis_points()))
        .bind(covered(lines))
        .bind(total(lines))
        .bind(covered(alone(new.branches)))
        .bind(total(alone(new.branches)))
        .bind(covered(alone(new.functions)))
        .bind(total(alone(new.functions)))
        .bind(new.report_format)
        .bind(new.report.as_ref().map(|report| report.key.as_str()))
        .bind(
            new.report
                .as_ref()
                .and_then(|report| report.start_page.as_deref()),
        )
        .bind(row.at.0)
        .bind(row.decision.updated_at.0)
        .bind(row.number)
        .bind(row.decision.superseded_at.map(|at| at.0))
        .bind(row.decision.unconfirmed_at.map(|at| at.0))
        .bind(report_bytes(new))
        .fetch_one(&mut *connection)
        .await?;
    Ok((
        stored.try_get("id")?,
        Timestamp(stored.try_get("created_at")?),
    ))
}

fn report_bytes(new: &NewRecord) -> Option<i64> {
    let report = new.report.as_ref();
    report.map(|report| i64::try_from(report.bytes).unwrap_or(i64::MAX))
}
