//! `GET /coverages-api/overview`: one page of the repositories of the overview.

use domain::{
    Change, Count, DayPoint, NameError, OrgSummary, Overview, Percentage, Repository,
    RepositoryRow, Timestamp,
};
use serde::{Deserialize, Serialize};

/// One page of repositories, in the requested order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(as = Overview))]
pub struct OverviewAnswer {
    /// When the answer was built, in microseconds since 1970.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub now: Timestamp,
    /// The number of matching repositories on all pages.
    pub repositories: u32,
    /// The number of this page, counted from 1. A number after the last page gives the last page.
    pub page: u32,
    /// The number of pages, at least 1.
    pub pages: u32,
    /// At most 50 rows: the current record of a repository's main branch, one for each language.
    pub rows: Vec<RowAnswer>,
    /// The orgs of these rows, by name.
    pub orgs: Vec<OrgAnswer>,
}

/// The current record of a repository's main branch in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(as = OverviewRow))]
pub struct RowAnswer {
    /// The org.
    pub org_name: String,
    /// The repository.
    pub repo_name: String,
    /// Its main branch.
    pub branch_name: String,
    /// The language.
    pub language: String,
    /// The id of the record.
    pub id: i64,
    /// The coverage in hundredths of a percent.
    #[cfg_attr(feature = "ssr", schema(value_type = u16, maximum = 10_000))]
    pub coverage: Percentage,
    /// Covered lines; `null` if the coverage file does not count lines.
    pub lines_covered: Option<u64>,
    /// Total lines.
    pub lines_total: Option<u64>,
    /// The change since the previous record, in hundredths of a percentage point.
    pub change: Option<i32>,
    /// The change over 30 days, or over 7 days in the orders `drop` and `rise` and for `show=dropped`, in hundredths of a
    /// percentage point.
    pub period_change: Option<i32>,
    /// When it was last uploaded, in microseconds since 1970.
    #[cfg_attr(feature = "ssr", schema(value_type = i64))]
    pub updated_at: Timestamp,
    /// Whether its HTML report is stored.
    pub has_report: bool,
    /// The last record of each of the last 30 days with records: its time in microseconds since 1970, and its coverage in
    /// hundredths of a percent; the oldest first.
    #[cfg_attr(feature = "ssr", schema(value_type = Vec<[i64; 2]>))]
    pub trend: Vec<(Timestamp, Percentage)>,
}

/// An org as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ssr", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "ssr", schema(as = OverviewOrg))]
pub struct OrgAnswer {
    /// The org.
    pub org_name: String,
    /// The number of its repositories.
    pub repositories: u32,
    /// Its coverage in hundredths of a percent, weighted by lines; `null` if no coverage file counts lines.
    #[cfg_attr(feature = "ssr", schema(value_type = Option<u16>, maximum = 10_000))]
    pub coverage: Option<Percentage>,
    /// Whether it has groups, which are not included here.
    pub has_groups: bool,
}

impl From<Overview> for OverviewAnswer {
    fn from(overview: Overview) -> Self {
        Self {
            now: overview.now,
            repositories: overview.matching,
            page: overview.query.page,
            pages: overview.pages,
            rows: overview.rows.into_iter().map(RowAnswer::from).collect(),
            orgs: overview.orgs.into_iter().map(OrgAnswer::from).collect(),
        }
    }
}

impl From<RepositoryRow> for RowAnswer {
    fn from(row: RepositoryRow) -> Self {
        let trend = row.trend.into_iter();
        Self {
            org_name: row.repository.org.to_string(),
            repo_name: row.repository.repo.to_string(),
            branch_name: row.branch.to_string(),
            language: row.language.to_string(),
            id: row.record_id,
            coverage: row.percentage,
            lines_covered: row.lines.map(|lines| lines.covered),
            lines_total: row.lines.map(|lines| lines.total),
            change: row.change.map(Change::basis_points),
            period_change: row.period_change.map(Change::basis_points),
            updated_at: row.updated_at,
            has_report: row.has_report,
            trend: trend.map(|point| (point.at, point.percentage)).collect(),
        }
    }
}

impl From<OrgSummary> for OrgAnswer {
    fn from(org: OrgSummary) -> Self {
        Self {
            org_name: org.org.to_string(),
            repositories: org.repositories,
            coverage: org.percentage,
            has_groups: org.has_groups,
        }
    }
}

impl TryFrom<RowAnswer> for RepositoryRow {
    type Error = NameError;

    fn try_from(row: RowAnswer) -> Result<Self, NameError> {
        let trend = row.trend.into_iter();
        Ok(Self {
            repository: Repository {
                org: row.org_name.parse()?,
                repo: row.repo_name.parse()?,
            },
            branch: row.branch_name.parse()?,
            language: row.language.parse()?,
            percentage: row.coverage,
            lines: row
                .lines_covered
                .zip(row.lines_total)
                .map(|(covered, total)| Count { covered, total }),
            change: row.change.map(Change::from_basis_points),
            period_change: row.period_change.map(Change::from_basis_points),
            updated_at: row.updated_at,
            record_id: row.id,
            has_report: row.has_report,
            trend: trend
                .map(|(at, percentage)| DayPoint { at, percentage })
                .collect(),
        })
    }
}

impl TryFrom<OrgAnswer> for OrgSummary {
    type Error = NameError;

    fn try_from(org: OrgAnswer) -> Result<Self, NameError> {
        Ok(Self {
            org: org.org_name.parse()?,
            repositories: org.repositories,
            percentage: org.coverage,
            has_groups: org.has_groups,
        })
    }
}
