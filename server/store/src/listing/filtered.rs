//! Pages of records that a filter selects, found with indexes for these filters. There are no counts of the records before a
//! page, so the query scans them. Often, counts of branches or repositories show beforehand that a page is past the end.

use super::{ListingFilter, Window, record_columns};
use crate::{
    Reader, StoreError,
    run::answered,
    sql::{ScopedSql, ScopedText, Sql, readable},
    text::containing,
};

/// Up to this number, all matching records are collected and sorted. If there are more, repositories are searched in the order of
/// the listing until a page is full.
pub(super) const MOST_GATHERED: i64 = 5_000;

impl Reader {
    /// Whether the author or the language of the filter has fewer than `most` records.
    pub(super) async fn has_fewer_than(
        &self,
        filter: &ListingFilter,
        most: i64,
    ) -> Result<bool, StoreError> {
        for (condition, value) in [
            ("r.commit_author = ", &filter.commit_author),
            ("r.language = ", &filter.language),
        ] {
            let Some(value) = value else { continue };
            let mut sql = Sql::new("select count(*) from (select 1 from records r where ");
            sql.push(condition)
                .push_bind(value.clone())
                .push(" limit ")
                .push_bind(most)
                .push(") few");
            let few = sql.rows::<(i64,)>()?;
            let few = few.fetch_one(&self.within_found().read_pool);
            let (few,) = answered(few).await?;
            if few < most {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether counts alone show that the page is past the last record.
    pub(super) async fn is_past_the_end(
        &self,
        filter: &ListingFilter,
        window: Window,
    ) -> Result<bool, StoreError> {
        // The first page is requested most often, and costs no more than the records that it shows.
        if window.start == 0 {
            return Ok(false);
        }
        let (count,): (i64,) = self.one(asking_for_count(filter)).await?;
        if count <= window.start {
            return Ok(true);
        }
        self.has_fewer_than(filter, window.start.saturating_add(1))
            .await
    }
}

/// A branch counts confirmed records only.
const RECORDS_OF_BRANCH: &str = "b.record_count
    + (select count(*) from records u where u.branch_id = b.id and u.unconfirmed_at is not null)";

/// Counts an upper limit of matching records: all records of the branches with the name, or of the repositories.
pub(super) fn asking_for_count(filter: &ListingFilter) -> ScopedSql {
    let (counts, tables) = match (&filter.branch_name, filter.full) {
        (Some(_), _) => (RECORDS_OF_BRANCH, "repositories p cross join branches b"),
        (None, true) => ("p.record_count", "repositories p"),
        (None, false) => ("p.current_count", "repositories p"),
    };
    let mut sql = Sql::new("select cast(coalesce(sum(");
    sql.push(counts)
        .push("), 0) as bigint) from ")
        .push(tables)
        .push(" where 1 = 1");
    if let Some(branch) = &filter.branch_name {
        sql.push(" and b.repository_id = p.id and b.name = ")
            .push_bind(branch.clone());
    }
    of_repositories(sql, filter)
}

fn of_repositories(mut sql: Sql, filter: &ListingFilter) -> ScopedSql {
    const READABLE: ScopedText = ScopedText::new(readable!("p"));
    sql.push(" and ");
    let mut sql = sql.scoped(READABLE);
    if let Some(org) = &filter.org_name {
        sql.push(" and p.org_name = ").push_bind(org.clone());
    }
    if let Some(name) = &filter.repo_name {
        sql.push(" and ");
        push_repo_name(&mut sql, name, filter.org_name.is_some());
    }
    if let Some(keyword) = &filter.keyword {
        let pattern = containing(keyword);
        sql.push(" and ")
            .push_like("lower(p.org_name || '/' || p.repo_name)", &pattern);
    }
    sql
}

/// Adds the condition on the name of the repository `p`. If the org is given in its stored spelling, the name is exact. Otherwise
/// the condition ignores case; if an org has several matches, the exact name wins, then the oldest.
fn push_repo_name(sql: &mut Sql, name: &str, is_exact: bool) {
    if is_exact {
        sql.push("p.repo_name = ").push_bind(name.to_owned());
        return;
    }
    sql.push("(p.repo_name = ")
        .push_bind(name.to_owned())
        .push(" or (lower(p.repo_name) = ")
        .push_bind(name.to_ascii_lowercase())
        .push(
            " and not exists (
                 select 1 from repositories e where e.org_name = p.org_name and e.repo_name = ",
        )
        .push_bind(name.to_owned())
        .push(")))");
}

/// First finds the records of the page, then reads only these records: the indexes contain all columns for skipping the records
/// before.
pub(super) fn query(filter: &ListingFilter, window: Window, is_rare: bool) -> ScopedSql {
    let mut sql = Sql::new(record_columns!());
    sql.push("from (select r.id as record_id ");
    // SQLite runs a cross join in the written order. For a record found by its branch, do not compare `repository_id`: SQLite
    // would have to read the record.
    sql.push(match (is_rare, &filter.branch_name) {
        (true, None) => {
            "from records r cross join repositories p
             where r.repository_id = p.id"
        }
        (true, Some(_)) => {
            "from records r cross join repositories p cross join branches b
             where r.repository_id = p.id and b.repository_id = p.id and b.id = r.branch_id"
        }
        (false, None) => {
            "from repositories p cross join records r
             where r.repository_id = p.id"
        }
        (false, Some(_)) => {
            "from repositories p cross join branches b cross join records r
             where b.repository_id = p.id and b.id = r.branch_id"
        }
    });
    if !filter.full {
        sql.push(" and r.superseded_at is null");
    }
    let mut sql = of_repositories(sql, filter);
    for (condition, value) in [
        (" and b.name = ", &filter.branch_name),
        (" and r.language = ", &filter.language),
        (" and r.commit_author = ", &filter.commit_author),
    ] {
        if let Some(value) = value {
            sql.push(condition).push_bind(value.clone());
        }
    }
    sql.push(" order by p.org_name, p.repo_name, r.place desc limit ")
        .push_bind(window.end - window.start)
        .push(" offset ")
        .push_bind(window.start)
        .push(
            ") k cross join records r cross join repositories p cross join branches b
             where r.id = k.record_id and p.id = r.repository_id and b.id = r.branch_id
             order by p.org_name, p.repo_name, r.place desc",
        );
    sql
}
