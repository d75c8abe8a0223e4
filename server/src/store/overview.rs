//! The overview page: repositories with the current records of their main branches.

use super::{
    Store, StoreError,
    current_row::{Current, CurrentRow, current_row_columns},
    listing::containing,
    main_branch::main_branch_id,
    time::now,
};
use app::domain::{OrgGroup, Overview, OverviewQuery, Repository, RepositoryRow};
use sqlx::FromRow;

/// Repositories on one page.
const PAGE_SIZE: i64 = 50;

pub(super) const MATCHING: &str = "
    select count(*) from repositories p
    where lower(p.org_name || '/' || p.repo_name) like $1 escape '!'
      and exists (select 1 from records r where r.repository_id = p.id and r.superseded_at is null)";

pub(super) const MAIN_BRANCH_ROWS: &str = concat!(
    "select p.org_name, p.repo_name, ",
    current_row_columns!(),
    " from (
        select q.id, q.org_name, q.repo_name from repositories q
        where lower(q.org_name || '/' || q.repo_name) like $1 escape '!'
          and exists (select 1 from records c where c.repository_id = q.id and c.superseded_at is null)
        order by q.org_name, q.repo_name
        limit $2 offset $3
    ) p
    join branches b on b.id = ",
    main_branch_id!(),
    " join records r on r.branch_id = b.id and r.superseded_at is null
    order by p.org_name, p.repo_name, r.language"
);

#[derive(FromRow)]
struct Row {
    org_name: String,
    repo_name: String,
    #[sqlx(flatten)]
    current: CurrentRow,
}

impl Store {
    /// One page of the overview; a page past the end is the last one.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn overview(&self, query: OverviewQuery) -> Result<Overview, StoreError> {
        let pattern = containing(&query.keyword);
        let matching: i64 = sqlx::query_scalar(MATCHING)
            .bind(&pattern)
            .fetch_one(&self.readers)
            .await?;
        let pages = ((matching + PAGE_SIZE - 1) / PAGE_SIZE).max(1);
        let page = i64::from(query.page).clamp(1, pages);
        let rows: Vec<Row> = sqlx::query_as(MAIN_BRANCH_ROWS)
            .bind(&pattern)
            .bind(PAGE_SIZE)
            .bind((page - 1) * PAGE_SIZE)
            .fetch_all(&self.readers)
            .await?;
        Ok(Overview {
            now: now(),
            query: OverviewQuery {
                page: u32::try_from(page).unwrap_or(u32::MAX),
                ..query
            },
            matching: u32::try_from(matching).unwrap_or(u32::MAX),
            pages: u32::try_from(pages).unwrap_or(u32::MAX),
            is_new: matching == 0 && !self.has_any_record().await?,
            orgs: by_org(
                rows.into_iter()
                    .map(RepositoryRow::try_from)
                    .collect::<Result<_, _>>()?,
            ),
        })
    }

    async fn has_any_record(&self) -> Result<bool, StoreError> {
        Ok(sqlx::query("select 1 from records limit 1")
            .fetch_optional(&self.readers)
            .await?
            .is_some())
    }
}

impl TryFrom<Row> for RepositoryRow {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let current: Current = row.current.try_into()?;
        Ok(Self {
            repository: Repository {
                org: row.org_name.try_into()?,
                repo: row.repo_name.try_into()?,
            },
            branch: current.branch,
            language: current.language,
            percentage: current.percentage,
            lines: current.lines,
            change: current.change,
            updated_at: current.updated_at,
            record_id: current.record_id,
            has_report: current.has_report,
        })
    }
}

fn by_org(rows: Vec<RepositoryRow>) -> Vec<OrgGroup> {
    let mut orgs: Vec<OrgGroup> = Vec::new();
    for row in rows {
        match orgs.last_mut() {
            Some(group) if group.org == row.repository.org => group.rows.push(row),
            _ => orgs.push(OrgGroup {
                org: row.repository.org.clone(),
                rows: vec![row],
            }),
        }
    }
    orgs
}
