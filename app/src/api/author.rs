//! `GET /coverages-api/author`: the first records of an author.

use domain::{
    AuthorDetail, AuthorRecord, Change, Count, NameError, Percentage, RecordPlace, Repository,
    Timestamp,
};
use serde::{Deserialize, Serialize};

/// The first records of an author, in the requested order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(as = Author))]
pub struct AuthorAnswer {
    /// When the answer was built, in microseconds since 1970.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub now: Timestamp,
    /// At most 50 records.
    pub rows: Vec<AuthorRow>,
    /// The value of `after` for the next page; `null` on the last page, and if the order is not newest first.
    pub next: Option<String>,
}

/// One record of an author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct AuthorRow {
    /// The id of the record.
    pub id: i64,
    /// When it was last uploaded, in microseconds since 1970.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub updated_at: Timestamp,
    /// The org.
    pub org_name: String,
    /// The repository.
    pub repo_name: String,
    /// The branch.
    pub branch_name: String,
    /// The language.
    pub language: String,
    /// The commit that was measured.
    pub commit_hash: String,
    /// The coverage in hundredths of a percent.
    #[cfg_attr(feature = "ssr", schema(value_type = u16, maximum = 10_000))]
    pub coverage: Percentage,
    /// Covered lines; `null` if the coverage file does not count lines.
    pub lines_covered: Option<u64>,
    /// Total lines.
    pub lines_total: Option<u64>,
    /// The change since the previous record on the branch, in hundredths of a percentage point.
    pub change: Option<i32>,
    /// Whether its HTML report is stored.
    pub has_report: bool,
}

impl From<AuthorDetail> for AuthorAnswer {
    fn from(detail: AuthorDetail) -> Self {
        Self {
            now: detail.now,
            rows: detail.records.into_iter().map(AuthorRow::from).collect(),
            next: detail.next.map(RecordPlace::as_text),
        }
    }
}

impl From<AuthorRecord> for AuthorRow {
    fn from(record: AuthorRecord) -> Self {
        Self {
            id: record.record_id,
            updated_at: record.updated_at,
            org_name: record.repository.org.to_string(),
            repo_name: record.repository.repo.to_string(),
            branch_name: record.branch.to_string(),
            language: record.language.to_string(),
            commit_hash: record.commit.to_string(),
            coverage: record.percentage,
            lines_covered: record.lines.map(|lines| lines.covered),
            lines_total: record.lines.map(|lines| lines.total),
            change: record.change.map(Change::basis_points),
            has_report: record.has_report,
        }
    }
}

impl TryFrom<AuthorRow> for AuthorRecord {
    type Error = NameError;

    fn try_from(row: AuthorRow) -> Result<Self, NameError> {
        let lines = row.lines_covered.zip(row.lines_total);
        Ok(Self {
            record_id: row.id,
            repository: Repository {
                org: row.org_name.parse()?,
                repo: row.repo_name.parse()?,
            },
            branch: row.branch_name.parse()?,
            commit: row.commit_hash.parse()?,
            language: row.language.parse()?,
            percentage: row.coverage,
            lines: lines.map(|(covered, total)| Count { covered, total }),
            change: row.change.map(Change::from_basis_points),
            updated_at: row.updated_at,
            has_report: row.has_report,
        })
    }
}
