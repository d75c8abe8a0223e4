//! The overview page: one page of the summary table, in any order, and the rest of the page.
//!
//! The summary table alone determines the shown rows, with at most one scan of it. The history is read only for the shown rows
//! and for recent drops.

mod attention;
mod choices;
mod filter;
mod orgs;
#[cfg(test)]
pub(super) mod tests;
mod trends;

use super::{
    Reader, StoreError, Unsigned,
    sql::{ScopedSql, ScopedText, Sql},
    time::now,
};
use crate::{metric, sql::readable};
use domain::{Day, Overview, OverviewColumn, OverviewQuery, Percentage, RepositoryRow};
use filter::Filter;
use sqlx::FromRow;

/// Rows on one page. A repository has one row for each language.
const PAGE_SIZE: i64 = 50;

#[derive(FromRow)]
struct Row {
    branch_id: i64,
    #[sqlx(flatten)]
    shown: RepositoryRow,
}

impl Reader {
    /// Returns one page of the overview; the last page if the requested one is past the end. Coverage below `target` needs
    /// attention.
    pub async fn overview(
        &self,
        mut query: OverviewQuery,
        target: Percentage,
    ) -> Result<Overview, StoreError> {
        if let Some(org) = &query.org {
            query.org = Some(self.stored_org(org).await?);
        }
        let filter = Filter::new(&query, target, now());
        let requested = i64::from(query.page).max(1);
        // Each query may scan the whole summary, so they run at the same time.
        let (matching, mut rows, attention) = tokio::try_join!(
            self.matching(&query, &filter),
            self.overview_rows(&query, &filter, requested),
            self.attention(&query, &filter)
        )?;
        let pages = ((matching.records + PAGE_SIZE - 1) / PAGE_SIZE).max(1);
        let page = requested.min(pages);
        // Requests for a page past the end are rare.
        if page < requested {
            rows = self.overview_rows(&query, &filter, page).await?;
        }
        let rows = self.with_trends(rows, &filter).await?;
        let orgs = rows.iter().map(|row| row.repository.org.to_string());
        Ok(Overview {
            now: filter.now,
            matching: Unsigned(matching.repositories).into(),
            pages: Unsigned::from(pages).into(),
            query: OverviewQuery {
                page: Unsigned::from(page).into(),
                ..query
            },
            is_new: matching.repositories == 0 && !self.has_any_record().await?,
            orgs: self.org_summaries(orgs.collect(), filter.metric).await?,
            rows,
            choices: matching.choices,
            attention,
        })
    }

    async fn with_trends(
        &self,
        rows: Vec<Row>,
        filter: &Filter,
    ) -> Result<Vec<RepositoryRow>, StoreError> {
        let records: Vec<i64> = rows.iter().map(|row| row.shown.record_id).collect();
        let mut trends = self.trends(&records, filter.now, filter.metric).await?;
        let yesterday = Day::of(filter.now).days_before(1);
        let rows = rows.into_iter().map(|Row { branch_id, shown }| {
            let trend = trends.remove(&(branch_id, shown.language.to_string()));
            RepositoryRow {
                trend: trend.unwrap_or_default(),
                new_code: shown.new_code.filter(|(_, day)| *day >= yesterday),
                ..shown
            }
        });
        Ok(rows.collect())
    }

    async fn overview_rows(
        &self,
        query: &OverviewQuery,
        filter: &Filter,
        page: i64,
    ) -> Result<Vec<Row>, StoreError> {
        self.all(listing(filter, query, (page - 1) * PAGE_SIZE))
            .await
    }

    async fn has_any_record(&self) -> Result<bool, StoreError> {
        const ANY: ScopedText = ScopedText::new(concat!(
            "select cast(1 as bigint) from repositories p where ",
            readable!("p"),
            " and exists (select 1 from records r where r.repository_id = p.id) limit 1"
        ));
        let any: Option<(i64,)> = self.first(ANY.with(())).await?;
        Ok(any.is_some())
    }
}

/// One page. First its rows are found by their keys alone, because a sort copies what it sorts. Values that only the shown rows
/// need are read afterwards.
fn listing(filter: &Filter, query: &OverviewQuery, offset: i64) -> ScopedSql {
    let percentage = filter.percentage();
    let by = |value: &str| {
        let direction = if query.sort.is_descending {
            " desc"
        } else {
            ""
        };
        format!("{value}{direction} nulls last, s.org_name, s.repo_name, s.language")
    };
    let order = match query.sort.column {
        OverviewColumn::Name if query.sort.is_descending => {
            "s.org_name desc, s.repo_name desc, s.language desc".to_owned()
        }
        OverviewColumn::Name => "s.org_name, s.repo_name, s.language".to_owned(),
        OverviewColumn::Coverage => by(&percentage),
        OverviewColumn::Change => by("period_change"),
        OverviewColumn::Uploaded => by("s.updated_at"),
    };
    let days = query.change_days();
    let is_by_change = query.sort.column == OverviewColumn::Change;
    let mut sql = Sql::new("with page as (select s.repository_id, s.language");
    if is_by_change {
        sql.push(", ");
        filter.push_change(&mut sql, days);
        sql.push(" as period_change");
    }
    sql.push(" from main_records s where ");
    let mut sql = filter.applied_to(sql);
    sql.push(" order by ").push(&order);
    sql.push(" limit ").push_bind(PAGE_SIZE);
    sql.push(" offset ").push_bind(offset);
    let [covered, total] = metric::columns(filter.metric);
    sql.push(&format!(
        ") select s.org_name, s.repo_name, b.name as branch, s.language, s.branch_id, s.record_id,
                  {percentage} as percentage, {percentage} - {} as change, s.{covered} as lines_covered,
                  s.{total} as lines_total, s.new_covered, s.new_total, s.new_unknown, s.new_day, s.updated_at,
                  case when r.report_key is null then 0 else 1 end as has_report, ",
        filter.percentage_before()
    ));
    if is_by_change {
        sql.push("p.period_change");
    } else {
        filter.push_change(&mut sql, days);
        sql.push(" as period_change");
    }
    sql.push(
        "
           from page p
           join main_records s on s.repository_id = p.repository_id and s.language = p.language
           join branches b on b.id = s.branch_id
           join records r on r.id = s.record_id
           order by ",
    );
    sql.push(&order);
    sql
}
