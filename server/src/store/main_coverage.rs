//! The coverage of main branches in bare numbers, for those who watch it from outside.

use super::{Store, StoreError};
use domain::Timestamp;
use sqlx::FromRow;

/// The coverage of main branches, and what there was no room for.
#[derive(Clone, Debug, Default)]
pub struct MainCoverage {
    /// Those that came first: what is shown once does not go because another repository came.
    pub shown: Vec<CurrentCoverage>,
    /// How many more there are.
    pub left_out: i64,
}

/// What the main branch of a repository has in one language.
#[derive(Clone, Debug)]
pub struct CurrentCoverage {
    /// Its organisation.
    pub org: String,
    /// Its name within that.
    pub repo: String,
    /// The language.
    pub language: String,
    /// Hundredths of a per cent.
    pub basis_points: i64,
    /// Lines that are covered; none where the report counts none.
    pub lines_covered: Option<i64>,
    /// Lines that could be.
    pub lines_total: Option<i64>,
    /// When it was uploaded.
    pub updated_at: Timestamp,
}

#[derive(FromRow)]
struct Row {
    org_name: String,
    repo_name: String,
    language: String,
    percentage_basis_points: i64,
    lines_covered: Option<i64>,
    lines_total: Option<i64>,
    updated_at: i64,
}

const COVERAGE: &str = "
    select org_name, repo_name, language, percentage_basis_points, lines_covered, lines_total, updated_at
    from main_records order by repository_id, language limit $1";

const COUNT: &str = "select count(*) from main_records";

impl Store {
    /// The coverage of main branches: of `most` repositories, each counted once for each of its languages.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn main_coverage(&self, most: u32) -> Result<MainCoverage, StoreError> {
        let rows: Vec<Row> = sqlx::query_as(COVERAGE)
            .bind(i64::from(most))
            .fetch_all(&self.readers)
            .await?;
        let all: i64 = sqlx::query_scalar(COUNT).fetch_one(&self.readers).await?;
        Ok(MainCoverage {
            left_out: all.saturating_sub_unsigned(rows.len() as u64).max(0),
            shown: rows.into_iter().map(shown).collect(),
        })
    }
}

fn shown(row: Row) -> CurrentCoverage {
    CurrentCoverage {
        org: row.org_name,
        repo: row.repo_name,
        language: row.language,
        basis_points: row.percentage_basis_points,
        lines_covered: row.lines_covered,
        lines_total: row.lines_total,
        updated_at: Timestamp(row.updated_at),
    }
}
