//! Writes the rows of a record and of its uploaded part.

use super::NewRecord;
use crate::{
    StoreError, Unsigned,
    columns::Columns,
    matched_paths::PathsRow,
    parts::UploadedPart,
    run::Run,
    standing::Decision,
    text::{json, storable},
};
use domain::{Count, Timestamp};
use sqlx::AnyConnection;

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
    let branches = match union {
        Some(union) => union.branches,
        None => new.branches,
    };
    let report = new.report.as_ref();
    let values = (
        row.repository_id,
        row.branch_id,
        &new.stated.language,
        &new.stated.commit,
        &new.author,
        new.record_percentage(),
        Columns(lines),
        Columns(branches),
        Columns(alone(new.functions)),
        new.report_format,
        report.map(|report| &report.key),
        report.and_then(|report| report.start_page.as_deref()),
        row.at,
        row.decision.updated_at,
        row.number,
        row.decision.superseded_at,
        row.decision.unconfirmed_at,
        report.map(|report| Unsigned(report.bytes)),
    );
    connection.one(UPSERT, values).await
}

/// Stores an uploaded part, which has no row yet. The lines of the only measured part of a record are stored with the record;
/// with the second part, each part gets its own lines.
pub(super) async fn store_part(
    connection: &mut AnyConnection,
    record_id: i64,
    new: &NewRecord,
    at: Timestamp,
) -> Result<(), StoreError> {
    const KEEP_LINES: &str = "
        update record_parts set
            lines = (select l.lines from record_lines l where l.record_id = $1),
            branches = coalesce(branches, (select l.branches from record_lines l where l.record_id = $1)),
            tests = (select l.tests from record_lines l where l.record_id = $1)
        where record_id = $1 and part <> $2 and skip_reason is null and coverable is not null and lines is null";
    const INSERT: &str = "
        insert into record_parts (
            record_id, part, arrived_at, percentage_basis_points, lines_covered, lines_total, branches_covered,
            branches_total, functions_covered, functions_total, report_format, tool, warnings, paths_matched, paths_of,
            paths_unmatched, root, is_root_stated, covered, coverable, lines, branches, report_key, report_start_page,
            report_bytes, ignored, tests
        ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
                  $24, $25, $26, $27)";
    let UploadedPart { name, united, .. } = &new.part;
    connection.run(KEEP_LINES, (record_id, name)).await?;
    let has_others = united.as_ref().is_some_and(|united| united.union.is_some());
    let states = new.line_states.as_ref();
    let count = states.map(|lines| Count {
        covered: lines.covered,
        total: lines.coverable,
    });
    let own_lines = states.filter(|_| has_others);
    let paths = new.details.paths.as_ref();
    let report = new.report.as_ref();
    let values = (
        record_id,
        name,
        at,
        new.percentage,
        Columns(new.lines),
        Columns(new.branches),
        Columns(new.functions),
        new.report_format,
        new.details.tool.as_deref().map(storable),
        json(&new.details.warnings),
        paths.map(|paths| Unsigned(paths.matched)),
        paths.map(|paths| Unsigned(paths.of)),
        paths.map(PathsRow::unmatched),
        storable(&new.details.files.root),
        i64::from(new.details.is_root_stated),
        Columns(count),
        own_lines.map(|lines| lines.encoded.as_slice()),
        own_lines.and_then(|lines| lines.branches.as_deref()),
        report.map(|report| report.key.as_str()),
        report.and_then(|report| report.start_page.as_deref()),
        report.map(|report| Unsigned(report.bytes)),
        new.details.ignored.map(|ignored| ignored.to_string()),
        own_lines.and_then(|lines| lines.tests.as_deref()),
    );
    connection.run(INSERT, values).await
}
