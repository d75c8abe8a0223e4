//! `GET /coverages-api/branches`: a page of the current records of the branches of a repository.

use domain::{BranchPage, BranchRow, Change, Count, NameError, Percentage, Timestamp};
use serde::{Deserialize, Serialize};

/// A page of the current records of all branches, in the requested order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(as = Branches))]
pub struct BranchesAnswer {
    /// When the answer was built, in microseconds since 1970.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub now: Timestamp,
    /// The main branch.
    pub main_branch_name: String,
    /// The number of matching rows on all pages.
    pub matching: u32,
    /// The number of this page, counted from 1. A number after the last page gives the last page.
    pub page: u32,
    /// The number of pages, at least 1.
    pub pages: u32,
    /// At most 50 rows, one for each branch and language.
    pub rows: Vec<BranchRecord>,
}

/// The current record of one branch and language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
pub struct BranchRecord {
    /// The id of the record.
    pub id: i64,
    /// When it was last uploaded, in microseconds since 1970.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub updated_at: Timestamp,
    /// The branch.
    pub branch_name: String,
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
    /// The change since the previous record on the branch, in hundredths of a percentage point.
    pub change: Option<i32>,
    /// The id of the base record; `null` on the main branch, and if there is no base record.
    pub base: Option<i64>,
    /// The change against the base record, in hundredths of a percentage point.
    pub change_against_base: Option<i32>,
    /// Whether its HTML report is stored.
    pub has_report: bool,
}

impl BranchesAnswer {
    /// The answer with a page of a repository with this main branch, read at `now`.
    pub fn new(now: Timestamp, main_branch_name: String, page: BranchPage) -> Self {
        Self {
            now,
            main_branch_name,
            matching: page.matching,
            page: page.page,
            pages: page.pages,
            rows: page.rows.into_iter().map(BranchRecord::from).collect(),
        }
    }
}

impl TryFrom<BranchesAnswer> for BranchPage {
    type Error = NameError;

    fn try_from(answer: BranchesAnswer) -> Result<Self, NameError> {
        let rows = answer.rows.into_iter().map(BranchRow::try_from);
        Ok(Self {
            rows: rows.collect::<Result<_, _>>()?,
            matching: answer.matching,
            page: answer.page,
            pages: answer.pages,
        })
    }
}

impl From<BranchRow> for BranchRecord {
    fn from(row: BranchRow) -> Self {
        Self {
            id: row.record_id,
            updated_at: row.updated_at,
            branch_name: row.branch.to_string(),
            language: row.language.to_string(),
            commit_hash: row.commit.to_string(),
            commit_author: row.author.to_string(),
            coverage: row.percentage,
            lines_covered: row.lines.map(|lines| lines.covered),
            lines_total: row.lines.map(|lines| lines.total),
            change: row.change.map(Change::basis_points),
            base: row.against_base.map(|(base, _)| base),
            change_against_base: row.against_base.map(|(_, change)| change.basis_points()),
            has_report: row.has_report,
        }
    }
}

impl TryFrom<BranchRecord> for BranchRow {
    type Error = NameError;

    fn try_from(record: BranchRecord) -> Result<Self, NameError> {
        let lines = record.lines_covered.zip(record.lines_total);
        let change = record.change_against_base.map(Change::from_basis_points);
        Ok(Self {
            branch: record.branch_name.parse()?,
            language: record.language.parse()?,
            commit: record.commit_hash.parse()?,
            author: record.commit_author.parse()?,
            percentage: record.coverage,
            lines: lines.map(|(covered, total)| Count { covered, total }),
            change: record.change.map(Change::from_basis_points),
            against_base: record.base.zip(change),
            updated_at: record.updated_at,
            record_id: record.id,
            has_report: record.has_report,
        })
    }
}
