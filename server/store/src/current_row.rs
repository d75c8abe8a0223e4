//! A current record as pages show it, with the percentage of the previous record.

use domain::{BranchName, Change, Count, Language, Percentage, Timestamp};
use sqlx::FromRow;

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
    #[sqlx(rename = "branch_name")]
    pub(super) branch: BranchName,
    #[sqlx(rename = "id")]
    pub(super) record_id: i64,
    pub(super) language: Language,
    #[sqlx(rename = "percentage_basis_points")]
    pub(super) percentage: Percentage,
    #[sqlx(flatten, try_from = "domain::sql::LineColumns")]
    pub(super) lines: Option<Count>,
    report_key: Option<String>,
    pub(super) updated_at: Timestamp,
    percentage_before: Option<i64>,
}

impl CurrentRow {
    pub(super) fn change(&self) -> Option<Change> {
        let before = self.percentage_before.map(Percentage::from);
        before.map(|before| Change::between(before, self.percentage))
    }

    pub(super) fn has_report(&self) -> bool {
        self.report_key.is_some()
    }
}
