//! A repository's page: its branches, and the history of the one that was chosen.

use super::{
    Store, StoreError,
    current_row::{Current, CurrentRow, current_row_columns},
    record::percentage,
    time::now,
};
use app::domain::{
    BranchName, BranchRow, Change, Repository, RepositoryDetail, Series, Timestamp, TrendPoint,
};
use sqlx::FromRow;
use std::cmp::Reverse;

/// Rows of the branches table; further ones are counted but not shown.
const SHOWN_BRANCHES: i64 = 500;

pub(super) const MAIN_BRANCH: &str = "
    select p.id, b.id as branch_id, b.name from repositories p join branches b on b.id = p.main_branch_id
    where p.org_name = $1 and p.repo_name = $2";

/// The main branch first, then the chosen one, so that neither is cut off; then by last upload.
pub(super) const BRANCH_ROWS: &str = concat!(
    "select r.commit_hash, r.commit_author, ",
    current_row_columns!(),
    " from records r
    join branches b on b.id = r.branch_id
    where r.repository_id = $1 and r.superseded_at is null
    order by case when b.id = $2 then 0 when b.name = $3 then 1 else 2 end, r.updated_at desc, r.id desc
    limit $4"
);

pub(super) const BRANCH_COUNT: &str =
    "select count(*) from records r where r.repository_id = $1 and r.superseded_at is null";

pub(super) const HISTORY: &str = "
    select r.id, r.language, r.commit_hash, r.percentage_basis_points, r.updated_at
    from branches b
    join records r on r.branch_id = b.id
    where b.repository_id = $1 and b.name = $2
    order by r.language, r.updated_at, r.id";

#[derive(FromRow)]
struct MainBranch {
    id: i64,
    branch_id: i64,
    name: String,
}

#[derive(FromRow)]
struct Row {
    commit_hash: String,
    commit_author: String,
    #[sqlx(flatten)]
    current: CurrentRow,
}

#[derive(FromRow)]
struct HistoryRow {
    id: i64,
    language: String,
    commit_hash: String,
    percentage_basis_points: i64,
    updated_at: i64,
}

impl Store {
    /// A repository with the trend of `branch`, or of its main branch; none where nothing was ever uploaded.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn repository(
        &self,
        repository: &Repository,
        branch: Option<&BranchName>,
    ) -> Result<Option<RepositoryDetail>, StoreError> {
        let main: Option<MainBranch> = sqlx::query_as(MAIN_BRANCH)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .fetch_optional(&self.readers)
            .await?;
        let Some(main) = main else { return Ok(None) };
        let main_branch: BranchName = main.name.try_into()?;
        let chosen = branch.unwrap_or(&main_branch).clone();
        let rows: Vec<Row> = sqlx::query_as(BRANCH_ROWS)
            .bind(main.id)
            .bind(main.branch_id)
            .bind(chosen.as_str())
            .bind(SHOWN_BRANCHES)
            .fetch_all(&self.readers)
            .await?;
        let mut branches = rows
            .into_iter()
            .map(BranchRow::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        branches.sort_by_key(|row| (row.branch != main_branch, Reverse(row.updated_at)));
        compare_with_main(&mut branches, &main_branch);
        let mut trend = self.history(main.id, &chosen).await?;
        if chosen != main_branch {
            trend.extend(self.history(main.id, &main_branch).await?);
        }
        let count: i64 = sqlx::query_scalar(BRANCH_COUNT)
            .bind(main.id)
            .fetch_one(&self.readers)
            .await?;
        Ok(Some(RepositoryDetail {
            now: now(),
            repository: repository.clone(),
            branch_count: u32::try_from(count).unwrap_or(u32::MAX),
            main_branch,
            branch: chosen,
            branches,
            trend,
        }))
    }

    async fn history(
        &self,
        repository_id: i64,
        branch: &BranchName,
    ) -> Result<Vec<Series>, StoreError> {
        let rows: Vec<HistoryRow> = sqlx::query_as(HISTORY)
            .bind(repository_id)
            .bind(branch.as_str())
            .fetch_all(&self.readers)
            .await?;
        let mut series: Vec<Series> = Vec::new();
        for row in rows {
            let point = TrendPoint {
                record_id: row.id,
                at: Timestamp(row.updated_at),
                percentage: percentage(row.percentage_basis_points),
                commit: row.commit_hash.try_into()?,
            };
            match series.last_mut() {
                Some(last) if last.language.as_str() == row.language => last.points.push(point),
                _ => series.push(Series {
                    branch: branch.clone(),
                    language: row.language.try_into()?,
                    points: vec![point],
                }),
            }
        }
        Ok(series)
    }
}

fn compare_with_main(branches: &mut [BranchRow], main_branch: &BranchName) {
    let of_main: Vec<_> = branches
        .iter()
        .filter(|row| row.branch == *main_branch)
        .map(|row| (row.language.clone(), row.percentage))
        .collect();
    for row in branches.iter_mut().filter(|row| row.branch != *main_branch) {
        let main = of_main
            .iter()
            .find(|(language, _)| *language == row.language);
        row.against_main = main.map(|&(_, percentage)| Change::between(percentage, row.percentage));
    }
}

impl TryFrom<Row> for BranchRow {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let current: Current = row.current.try_into()?;
        Ok(Self {
            branch: current.branch,
            language: current.language,
            commit: row.commit_hash.try_into()?,
            author: row.commit_author.try_into()?,
            percentage: current.percentage,
            lines: current.lines,
            change: current.change,
            against_main: None,
            updated_at: current.updated_at,
            record_id: current.record_id,
            has_report: current.has_report,
        })
    }
}
