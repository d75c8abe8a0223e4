//! Reads all HTML reports in one query, with the data for the retention rules and for sums of bytes.

use super::ReportFacts;
use crate::{StoreError, Unsigned, Writer};
use futures::{Stream, StreamExt};
use sqlx::FromRow;

/// An HTML report without names.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct SizedReport {
    /// The id of the branch.
    pub branch_id: i64,
    /// The language.
    pub language: String,
    /// What decides whether it stays.
    #[sqlx(flatten)]
    pub facts: ReportFacts,
    /// The size in bytes; 0 if unknown.
    #[sqlx(try_from = "Unsigned")]
    pub bytes: u64,
}

/// Sorted like the index, backwards.
pub(crate) const SIZES: &str = concat!(
    "select r.branch_id, r.language, r.updated_at, coalesce(r.report_bytes, 0) as bytes, case when ",
    is_safe!(),
    " then 1 else 0 end as is_safe, case when r.unconfirmed_at is null then 1 else 0 end as is_confirmed
     from records r
     where r.report_key is not null
     order by r.branch_id desc, r.language desc, r.updated_at desc"
);

impl<'a> Writer<'a> {
    /// Returns all reports, grouped by branch and language, the newest first.
    pub fn report_sizes(self) -> impl Stream<Item = Result<SizedReport, StoreError>> + 'a {
        let rows = sqlx::query_as(SIZES).fetch(&self.store.read_pool);
        rows.map(|row| Ok(row?))
    }
}
