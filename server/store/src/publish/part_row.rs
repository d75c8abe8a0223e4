//! Writes the row of an uploaded part.

use super::NewRecord;
use crate::{
    StoreError,
    columns::{covered, total},
    matched_paths::PathsRow,
    parts::UploadedPart,
    run::Run,
    text::{json, storable},
};
use domain::{Count, Timestamp};
use sqlx::AnyConnection;

/// Stores an uploaded part, which has no row yet. The lines of the only measured part of a record are stored with the record;
/// with the second part, each part gets its own lines.
pub(crate) async fn store(
    connection: &mut AnyConnection,
    record_id: i64,
    new: &NewRecord,
    at: Timestamp,
) -> Result<(), StoreError> {
    const KEEP_LINES: &str = "
        update record_parts set lines = (select l.lines from record_lines l where l.record_id = $1)
        where record_id = $1 and part <> $2 and skip_reason is null and coverable is not null and lines is null";
    const INSERT: &str = "
        insert into record_parts (
            record_id, part, arrived_at, percentage_basis_points, lines_covered, lines_total, branches_covered,
            branches_total, functions_covered, functions_total, report_format, tool, warnings, paths_matched, paths_of,
            paths_unmatched, root, is_root_stated, covered, coverable, lines, report_key, report_start_page, report_bytes
        ) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
                  $24)";
    let UploadedPart { name, united, .. } = &new.part;
    connection.execute(KEEP_LINES, (record_id, name)).await?;
    let has_others = united.as_ref().is_some_and(|united| united.union.is_some());
    let states = new.line_states.as_ref();
    let count = states.map(|lines| Count {
        covered: lines.covered,
        total: lines.coverable,
    });
    let own_lines = states.filter(|_| has_others);
    let paths = new.details.paths.as_ref();
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let report = new.report.as_ref();
    sqlx::query(INSERT)
        .bind(record_id)
        .bind(name.as_str())
        .bind(at.0)
        .bind(i64::from(new.percentage.basis_points()))
        .bind(covered(new.lines))
        .bind(total(new.lines))
        .bind(covered(new.branches))
        .bind(total(new.branches))
        .bind(covered(new.functions))
        .bind(total(new.functions))
        .bind(new.report_format)
        .bind(new.details.tool.as_deref().map(storable))
        .bind(json(&new.details.warnings))
        .bind(paths.map(|paths| number(paths.matched)))
        .bind(paths.map(|paths| number(paths.of)))
        .bind(paths.map(PathsRow::unmatched))
        .bind(storable(&new.details.files.root))
        .bind(i64::from(new.details.is_root_stated))
        .bind(covered(count))
        .bind(total(count))
        .bind(own_lines.map(|lines| lines.encoded.as_slice()))
        .bind(report.map(|report| report.key.as_str()))
        .bind(report.and_then(|report| report.start_page.as_deref()))
        .bind(report.map(|report| number(report.bytes)))
        .execute(&mut *connection)
        .await?;
    Ok(())
}
