//! A repository's page: its branches, and the history of the one that was chosen.

use super::{
    Store, StoreError,
    record::{count, percentage},
    time::now,
};
use app::domain::{
    BranchName, BranchRow, Change, Repository, RepositoryDetail, Series, Timestamp, TrendPoint,
};
use sqlx::FromRow;

/// Rows of the branches table; further ones are counted but not shown.
const SHOWN_BRANCHES: i64 = 500;

/// The main branch first (by the rule of the overview), then by last upload.
const BRANCH_ROWS: &str = "
    select b.name as branch_name, r.id, r.language, r.commit_hash, r.commit_author, r.percentage_basis_points,
           r.lines_covered, r.lines_total, r.report_key, r.updated_at,
           (select h.percentage_basis_points from records h
            where h.branch_id = r.branch_id and h.language = r.language and h.id <> r.id
            order by h.updated_at desc limit 1) as percentage_before
    from repositories p
    join records r on r.repository_id = p.id and r.superseded_at is null
    join branches b on b.id = r.branch_id
    where p.org_name = $1 and p.repo_name = $2
    order by case when b.id = (
                 select m.id from branches m
                 where m.repository_id = p.id
                   and exists (select 1 from records c where c.branch_id = m.id and c.superseded_at is null)
                 order by case m.name when 'main' then 0 when 'master' then 1 when 'develop' then 2 when 'trunk' then 3 else 4 end,
                          m.record_count desc, m.id
                 limit 1
             ) then 0 else 1 end,
             r.updated_at desc, r.id desc
    limit $3";

const BRANCH_COUNT: &str = "
    select count(*) from repositories p
    join records r on r.repository_id = p.id and r.superseded_at is null
    where p.org_name = $1 and p.repo_name = $2";

const HISTORY: &str = "
    select r.id, r.language, r.commit_hash, r.percentage_basis_points, r.updated_at
    from repositories p
    join branches b on b.repository_id = p.id
    join records r on r.branch_id = b.id
    where p.org_name = $1 and p.repo_name = $2 and b.name = $3
    order by r.language, r.updated_at, r.id";

#[derive(FromRow)]
struct Row {
    branch_name: String,
    id: i64,
    language: String,
    commit_hash: String,
    commit_author: String,
    percentage_basis_points: i64,
    lines_covered: Option<i64>,
    lines_total: Option<i64>,
    report_key: Option<String>,
    updated_at: i64,
    percentage_before: Option<i64>,
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
        let rows: Vec<Row> = sqlx::query_as(BRANCH_ROWS)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .bind(SHOWN_BRANCHES)
            .fetch_all(&self.readers)
            .await?;
        let mut branches = rows
            .into_iter()
            .map(BranchRow::try_from)
            .collect::<Result<Vec<_>, _>>()?;
        let Some(main_branch) = branches.first().map(|row| row.branch.clone()) else {
            return Ok(None);
        };
        compare_with_main(&mut branches, &main_branch);
        let branch = branch.unwrap_or(&main_branch).clone();
        let mut trend = self.history(repository, &branch).await?;
        if branch != main_branch {
            trend.extend(self.history(repository, &main_branch).await?);
        }
        Ok(Some(RepositoryDetail {
            now: now(),
            repository: repository.clone(),
            branch_count: self.branch_count(repository).await?,
            main_branch,
            branch,
            branches,
            trend,
        }))
    }

    async fn branch_count(&self, repository: &Repository) -> Result<u32, StoreError> {
        let count: i64 = sqlx::query_scalar(BRANCH_COUNT)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
            .fetch_one(&self.readers)
            .await?;
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }

    async fn history(
        &self,
        repository: &Repository,
        branch: &BranchName,
    ) -> Result<Vec<Series>, StoreError> {
        let rows: Vec<HistoryRow> = sqlx::query_as(HISTORY)
            .bind(repository.org.as_str())
            .bind(repository.repo.as_str())
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
        let now = percentage(row.percentage_basis_points);
        Ok(Self {
            branch: row.branch_name.try_into()?,
            language: row.language.try_into()?,
            commit: row.commit_hash.try_into()?,
            author: row.commit_author.try_into()?,
            percentage: now,
            lines: count(row.lines_covered, row.lines_total),
            change: row
                .percentage_before
                .map(|before| Change::between(percentage(before), now)),
            against_main: None,
            updated_at: Timestamp(row.updated_at),
            record_id: row.id,
            has_report: row.report_key.is_some(),
        })
    }
}
