//! The rows of `record_parts`, within transactions.

use crate::{StoreError, orphaned_reports, run::Run};
use domain::{PartName, Timestamp};
use sqlx::{AnyConnection, FromRow};

#[derive(Clone, Debug, FromRow)]
pub(crate) struct PartRow {
    #[sqlx(rename = "part")]
    pub(crate) name: PartName,
    pub(crate) arrived_at: Timestamp,
    skip_reason: Option<String>,
    lacks_lines: i64,
    pub(crate) report_key: Option<String>,
    pub(crate) report_bytes: Option<i64>,
}

impl PartRow {
    pub(crate) fn is_measured(&self) -> bool {
        self.skip_reason.is_none()
    }

    /// Whether the lines of the part's coverage file are not in its row: the record has them, or they have expired.
    pub(crate) fn lacks_lines(&self) -> bool {
        self.lacks_lines != 0
    }
}

/// The measured parts except one, with the times of their uploads.
pub(crate) fn measured(rows: &[PartRow], except: Option<&PartName>) -> Vec<(PartName, Timestamp)> {
    let measured = rows
        .iter()
        .filter(|row| row.is_measured() && Some(&row.name) != except);
    measured
        .map(|row| (row.name.clone(), row.arrived_at))
        .collect()
}

/// Returns the rows of a record by name; empty if it has only the unnamed part.
pub(crate) async fn of_record(
    connection: &mut AnyConnection,
    record_id: i64,
) -> Result<Vec<PartRow>, StoreError> {
    const ROWS: &str = "
        select part, arrived_at, skip_reason, report_key, report_bytes,
               case when lines is null and coverable is not null then 1 else 0 end as lacks_lines
        from record_parts where record_id = $1 order by part";
    connection.all(ROWS, [record_id]).await
}

/// Gives a record without rows the row of its unnamed part. The part had lines, but they may have expired.
pub(crate) async fn unfold(
    connection: &mut AnyConnection,
    record_id: i64,
) -> Result<(), StoreError> {
    const UNFOLD: &str = "
        insert into record_parts (
            record_id, part, arrived_at, percentage_basis_points, lines_covered, lines_total, branches_covered,
            branches_total, functions_covered, functions_total, report_format, tool, warnings, paths_matched, paths_of,
            paths_unmatched, root, is_root_stated, covered, coverable, report_key, report_start_page, report_bytes,
            ignored
        )
        select r.id, '', r.updated_at, r.percentage_basis_points, r.lines_covered, r.lines_total, r.branches_covered,
               r.branches_total, r.functions_covered, r.functions_total, r.report_format, d.tool,
               coalesce(d.warnings, '[]'), d.paths_matched, d.paths_of, d.paths_unmatched, coalesce(d.files_root, ''),
               coalesce(d.is_root_stated, 0), coalesce(l.covered, 0), coalesce(l.coverable, 0), r.report_key, r.report_start_page, r.report_bytes,
               d.ignored
        from records r
        left join record_details d on d.record_id = r.id
        left join record_lines l on l.record_id = r.id
        where r.id = $1";
    connection.run(UNFOLD, [record_id]).await
}

/// Releases all HTML reports of a record, including its own one `key`, and returns their keys.
pub(crate) async fn release_all_reports(
    connection: &mut AnyConnection,
    record_id: i64,
    key: &str,
    at: Timestamp,
) -> Result<Vec<String>, StoreError> {
    let parts = of_record(connection, record_id).await?;
    let mut released = release_reports(connection, record_id, &parts, at).await?;
    if !released.iter().any(|released| released == key) {
        orphaned_reports::release(connection, record_id, key, None, at).await?;
        released.push(key.to_owned());
    }
    Ok(released)
}

/// Releases the HTML reports of parts, and returns their keys.
pub(crate) async fn release_reports(
    connection: &mut AnyConnection,
    record_id: i64,
    parts: &[PartRow],
    at: Timestamp,
) -> Result<Vec<String>, StoreError> {
    const NONE: &str = "
        update record_parts set report_key = null, report_start_page = null, report_bytes = null
        where record_id = $1 and part = $2";
    let mut released = Vec::new();
    for part in parts {
        if let Some(key) = &part.report_key {
            orphaned_reports::release(connection, record_id, key, part.report_bytes, at).await?;
            connection.run(NONE, (record_id, &part.name)).await?;
            released.push(key.clone());
        }
    }
    Ok(released)
}

/// Removes the rows of parts whose HTML reports are released.
pub(crate) async fn remove(
    connection: &mut AnyConnection,
    record_id: i64,
    parts: &[PartRow],
) -> Result<(), StoreError> {
    const DELETE: &str = "delete from record_parts where record_id = $1 and part = $2";
    for part in parts {
        connection.run(DELETE, (record_id, &part.name)).await?;
    }
    Ok(())
}

/// Gives the record the HTML report of the newest part that has one. The bytes of the record are the sum over its parts.
pub(crate) async fn show_newest_report(
    connection: &mut AnyConnection,
    record_id: i64,
) -> Result<(), StoreError> {
    const NEWEST: &str = "
        select report_key, report_start_page from record_parts
        where record_id = $1 and report_key is not null order by arrived_at desc limit 1";
    const SHOW: &str = "
        update records set report_key = $2, report_start_page = $3, report_bytes = (
            select cast(sum(q.report_bytes) as bigint) from record_parts q where q.record_id = records.id)
        where id = $1";
    let newest: Option<(String, Option<String>)> = connection.first(NEWEST, [record_id]).await?;
    let (key, start_page) = newest.unzip();
    connection
        .run(SHOW, (record_id, key, start_page.flatten()))
        .await
}
