//! A current record as pages show it, with the percentage of the previous record.

use super::{
    StoreError,
    record::{count, percentage},
};
use domain::{BranchName, Change, Count, Language, Percentage, Timestamp};
use sqlx::FromRow;

/// The columns of a [`CurrentRow`], for the record `r` on the branch `b`.
macro_rules! current_row_columns {
    () => {
        "b.name as branch_name, r.id, r.language, r.percentage_basis_points, r.lines_covered, r.lines_total,
         r.report_key, r.updated_at,
         (select h.percentage_basis_points from records h
          where h.branch_id = r.branch_id and h.language = r.language and h.id <> r.id
            and h.unconfirmed_at is null
          order by h.updated_at desc limit 1) as percentage_before"
    };
}

pub(super) use current_row_columns;

#[derive(FromRow)]
pub(super) struct CurrentRow {
    branch_name: String,
    id: i64,
    language: String,
    percentage_basis_points: i64,
    lines_covered: Option<i64>,
    lines_total: Option<i64>,
    report_key: Option<String>,
    updated_at: i64,
    percentage_before: Option<i64>,
}

pub(super) struct Current {
    pub(super) record_id: i64,
    pub(super) branch: BranchName,
    pub(super) language: Language,
    pub(super) percentage: Percentage,
    pub(super) lines: Option<Count>,
    pub(super) change: Option<Change>,
    pub(super) updated_at: Timestamp,
    pub(super) has_report: bool,
}

impl TryFrom<CurrentRow> for Current {
    type Error = StoreError;

    fn try_from(row: CurrentRow) -> Result<Self, StoreError> {
        let now = percentage(row.percentage_basis_points);
        Ok(Self {
            record_id: row.id,
            branch: row.branch_name.try_into()?,
            language: row.language.try_into()?,
            percentage: now,
            lines: count(row.lines_covered, row.lines_total),
            change: row
                .percentage_before
                .map(|before| Change::between(percentage(before), now)),
            updated_at: Timestamp(row.updated_at),
            has_report: row.report_key.is_some(),
        })
    }
}
