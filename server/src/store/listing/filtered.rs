//! Pages of what a filter picks out of repositories: found in the order of the listing, repository by repository, in indexes
//! that have just that. What comes before a page is read through, as nothing counts it.

use super::{ListingFilter, Window, record_columns};
use crate::store::{sql::Sql, text::containing};

pub(super) fn asking(filter: &ListingFilter, window: Window) -> Sql {
    let mut sql = Sql::new(record_columns!());
    // In this order, so that whoever asks for little reads little: SQLite takes a cross join as it is written.
    sql.push(match filter.branch_name {
        Some(_) => "from repositories p cross join branches b cross join records r",
        None => "from repositories p cross join records r cross join branches b",
    });
    sql.push(" where r.repository_id = p.id and b.id = r.branch_id and b.repository_id = p.id");
    if !filter.full {
        sql.push(" and r.superseded_at is null");
    }
    for (condition, value) in [
        (" and p.org_name = ", &filter.org_name),
        (" and p.repo_name = ", &filter.repo_name),
        (" and b.name = ", &filter.branch_name),
        (" and r.language = ", &filter.language),
        (" and r.commit_author = ", &filter.commit_author),
    ] {
        if let Some(value) = value {
            sql.push(condition).push_bind(value.clone());
        }
    }
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
