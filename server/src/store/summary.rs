//! A record with what its summary says about it.

use super::{
    Store, StoreError,
    record::{Record, record_columns},
};
use domain::MatchedPaths;
use sqlx::FromRow;

/// A record with what its summary says about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordSummary {
    /// The record.
    pub record: Record,
    /// Whether its HTML report is stored.
    pub has_report: bool,
    /// How many paths of its coverage file are files of the repository, if the upload listed them.
    pub paths: Option<MatchedPaths>,
}

pub(super) const SUMMARY: &str = concat!(
    record_columns!(),
    ", r.report_key, d.paths_matched, d.paths_of, d.paths_unmatched
    from records r
    join repositories p on p.id = r.repository_id
    join branches b on b.id = r.branch_id
    left join record_details d on d.record_id = r.id
    where r.id = $1"
);

#[derive(FromRow)]
struct Row {
    #[sqlx(flatten)]
    record: Record,
    report_key: Option<String>,
    #[sqlx(flatten)]
    paths: PathsRow,
}

/// The columns of [`MatchedPaths`].
#[derive(FromRow)]
pub(super) struct PathsRow {
    paths_matched: Option<i64>,
    paths_of: Option<i64>,
    paths_unmatched: Option<String>,
}

impl PathsRow {
    pub(super) fn matched(self) -> Option<MatchedPaths> {
        let number = |number| u64::try_from(number).unwrap_or_default();
        let unmatched = self.paths_unmatched.unwrap_or_default();
        Some(MatchedPaths {
            matched: number(self.paths_matched?),
            of: number(self.paths_of?),
            unmatched: serde_json::from_str(&unmatched).unwrap_or_default(),
        })
    }
}

impl Store {
    /// Returns a record with what its summary says; none if the record does not exist.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn record_summary(&self, id: i64) -> Result<Option<RecordSummary>, StoreError> {
        let row: Option<Row> = sqlx::query_as(SUMMARY)
            .bind(id)
            .fetch_optional(&self.readers)
            .await?;
        Ok(row.map(|row| RecordSummary {
            record: row.record,
            has_report: row.report_key.is_some(),
            paths: row.paths.matched(),
        }))
    }
}
