//! `GET /coverages-api/history`: a page of the records of a branch.

use domain::{Change, Count, History, HistoryPlace, HistoryRow, NameError, Percentage, Timestamp};
use serde::{Deserialize, Serialize};

/// A page of the records of a branch, in the requested order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(as = History))]
pub struct HistoryAnswer {
    /// When the answer was built, in microseconds since 1970.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub now: Timestamp,
    /// The branch.
    pub branch_name: String,
    /// The number of all records of the branch.
    pub records: u64,
    /// At most 50 records.
    pub rows: Vec<HistoryRecord>,
    /// The value of `after` for the page of newer records; empty for the newest page, `null` if this page is the newest or
    /// sorted.
    pub newer: Option<String>,
    /// The value of `before` for the page of older records; `null` if there are no older records, or if this page is sorted.
    pub older: Option<String>,
}

/// One record of a branch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct HistoryRecord {
    /// The id of the record.
    pub id: i64,
    /// When it was last uploaded, in microseconds since 1970.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub updated_at: Timestamp,
    /// The language.
    pub language: String,
    /// The commit that was measured.
    pub commit_hash: String,
    /// Who made the commit.
    pub commit_author: String,
    /// The coverage in hundredths of a percent.
    #[cfg_attr(feature = "ssr", schema(value_type = u16, maximum = 10_000))]
    pub coverage: Percentage,
    /// Covered lines; `null` if the coverage file does not count lines.
    pub lines_covered: Option<u64>,
    /// Total lines.
    pub lines_total: Option<u64>,
    /// The change since the previous record, in hundredths of a percentage point.
    pub change: Option<i32>,
    /// Whether its HTML report is stored.
    pub has_report: bool,
    /// Whether the record is confirmed. No trend includes an unconfirmed record.
    pub is_confirmed: bool,
    /// Whether the record is complete: it does not wait for parts.
    pub is_complete: bool,
}

impl HistoryAnswer {
    /// The answer with a page of the branch `branch_name`, read at `now`.
    pub fn new(now: Timestamp, branch_name: String, history: History) -> Self {
        let key = |place| match place {
            HistoryPlace::OlderThan(key) | HistoryPlace::NewerThan(key) => key.to_string(),
            HistoryPlace::Newest | HistoryPlace::Sorted(_) => String::new(),
        };
        Self {
            now,
            branch_name,
            records: history.records,
            rows: history.rows.into_iter().map(HistoryRecord::from).collect(),
            newer: history.newer.map(key),
            older: history.older.map(key),
        }
    }
}

impl TryFrom<HistoryAnswer> for History {
    type Error = NameError;

    fn try_from(answer: HistoryAnswer) -> Result<Self, NameError> {
        let rows = answer.rows.into_iter().map(HistoryRow::try_from);
        let newer = |key: String| {
            let key = key.parse().ok();
            key.map_or(HistoryPlace::Newest, HistoryPlace::NewerThan)
        };
        let older = answer.older.and_then(|key| key.parse().ok());
        Ok(Self {
            rows: rows.collect::<Result<_, _>>()?,
            newer: answer.newer.map(newer),
            older: older.map(HistoryPlace::OlderThan),
            records: answer.records,
        })
    }
}

impl From<HistoryRow> for HistoryRecord {
    fn from(row: HistoryRow) -> Self {
        Self {
            id: row.record_id,
            updated_at: row.at,
            language: row.language.to_string(),
            commit_hash: row.commit.to_string(),
            commit_author: row.author.to_string(),
            coverage: row.percentage,
            lines_covered: row.lines.map(|lines| lines.covered),
            lines_total: row.lines.map(|lines| lines.total),
            change: row.change.map(Change::basis_points),
            has_report: row.has_report,
            is_confirmed: row.is_confirmed,
            is_complete: row.is_complete,
        }
    }
}

impl TryFrom<HistoryRecord> for HistoryRow {
    type Error = NameError;

    fn try_from(record: HistoryRecord) -> Result<Self, NameError> {
        let lines = record.lines_covered.zip(record.lines_total);
        Ok(Self {
            record_id: record.id,
            at: record.updated_at,
            language: record.language.parse()?,
            commit: record.commit_hash.parse()?,
            author: record.commit_author.parse()?,
            percentage: record.coverage,
            lines: lines.map(|(covered, total)| Count { covered, total }),
            change: record.change.map(Change::from_basis_points),
            has_report: record.has_report,
            is_confirmed: record.is_confirmed,
            is_complete: record.is_complete,
        })
    }
}
