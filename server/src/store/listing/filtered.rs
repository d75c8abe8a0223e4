//! Pages of what a filter picks out of repositories, found in indexes that have just that. What comes before a page is read
//! through, as nothing counts it.

use super::{ListingFilter, Window, push_repo_name, record_columns};
use crate::store::{Store, StoreError, sql::Sql, text::containing};

/// Of so few records all are gathered and sorted; of more, repositories are looked through in the order of the listing until
/// a page is full.
const MOST_GATHERED: i64 = 5_000;

impl Store {
    /// Whether what is asked for is little, wherever it stands.
    pub(super) async fn is_rare(&self, filter: &ListingFilter) -> Result<bool, StoreError> {
        const BY_AUTHOR: &str = "
            select count(*) from (select 1 from records r where r.commit_author = $1 limit $2) few";
        const IN_LANGUAGE: &str = "
            select count(*) from (select 1 from records r where r.language = $1 limit $2) few";
        for (question, value) in [
            (BY_AUTHOR, &filter.commit_author),
            (IN_LANGUAGE, &filter.language),
        ] {
            let Some(value) = value else { continue };
            let found: i64 = sqlx::query_scalar(question)
                .bind(value.as_str())
                .bind(MOST_GATHERED)
                .fetch_one(&self.readers)
                .await?;
            if found < MOST_GATHERED {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

pub(super) fn asking(filter: &ListingFilter, window: Window, is_rare: bool) -> Sql {
    let mut sql = Sql::new(record_columns!());
    // SQLite takes a cross join in the order in which it is written.
    sql.push(match (is_rare, &filter.branch_name) {
        (true, _) => "from records r cross join repositories p cross join branches b",
        (false, Some(_)) => "from repositories p cross join branches b cross join records r",
        (false, None) => "from repositories p cross join records r cross join branches b",
    });
    sql.push(" where r.repository_id = p.id and b.id = r.branch_id");
    if filter.branch_name.is_some() {
        sql.push(" and b.repository_id = p.id");
    }
    if !filter.full {
        sql.push(" and r.superseded_at is null");
    }
    for (condition, value) in [
        (" and p.org_name = ", &filter.org_name),
        (" and b.name = ", &filter.branch_name),
        (" and r.language = ", &filter.language),
        (" and r.commit_author = ", &filter.commit_author),
    ] {
        if let Some(value) = value {
            sql.push(condition).push_bind(value.clone());
        }
    }
    sql.push(" and ");
    push_repo_name(&mut sql, filter);
    if let Some(keyword) = &filter.keyword {
        sql.push(" and lower(p.org_name || '/' || p.repo_name) like ")
            .push_bind(containing(keyword))
            .push(" escape '!'");
    }
    sql.push(" order by p.org_name, p.repo_name, r.place desc limit ")
        .push_bind(window.end - window.start)
        .push(" offset ")
        .push_bind(window.start);
    sql
}
