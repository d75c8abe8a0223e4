//! The coverage of main branches as plain numbers, for external monitoring.

use super::{Operator, StoreError, run::Run};
use domain::Timestamp;
use sqlx::FromRow;

/// The coverage of main branches, up to a maximum number.
#[derive(Clone, Debug, Default)]
pub struct MainCoverage {
    /// The oldest repositories: a new repository never displaces a shown one.
    pub shown: Vec<CurrentCoverage>,
    /// The number of rows that are not shown.
    pub left_out: i64,
}

/// The coverage of a repository's main branch in one language.
#[derive(Clone, Debug, FromRow)]
pub struct CurrentCoverage {
    /// The org.
    #[sqlx(rename = "org_name")]
    pub org: String,
    /// The repository's name within the org.
    #[sqlx(rename = "repo_name")]
    pub repo: String,
    /// The language.
    pub language: String,
    /// The coverage in hundredths of a percent.
    #[sqlx(rename = "percentage_basis_points")]
    pub basis_points: i64,
    /// The covered lines; `None` if the coverage file does not count lines.
    pub lines_covered: Option<i64>,
    /// The total lines.
    pub lines_total: Option<i64>,
    /// The covered branches; `None` if they are not known.
    pub branches_covered: Option<i64>,
    /// The total branches.
    pub branches_total: Option<i64>,
    /// The covered functions; `None` if they are not known.
    pub functions_covered: Option<i64>,
    /// The total functions.
    pub functions_total: Option<i64>,
    /// The time of the last upload.
    pub updated_at: Timestamp,
}

const COVERAGE: &str = "
    select m.org_name, m.repo_name, m.language, m.percentage_basis_points, m.lines_covered, m.lines_total,
           r.branches_covered, r.branches_total, r.functions_covered, r.functions_total, m.updated_at
    from main_records m join records r on r.id = m.record_id
    order by m.repository_id, m.language limit $1";

const COUNT: &str = "select count(*) from main_records";

impl Operator<'_> {
    /// Returns the coverage of main branches: at most `most` rows, one for each repository and language.
    pub async fn main_coverage(self, most: u32) -> Result<MainCoverage, StoreError> {
        let rows: Vec<CurrentCoverage> = self.store.all(COVERAGE, [i64::from(most)]).await?;
        let all: i64 = self.store.value(COUNT, ()).await?;
        Ok(MainCoverage {
            left_out: all.saturating_sub_unsigned(rows.len() as u64).max(0),
            shown: rows,
        })
    }
}
