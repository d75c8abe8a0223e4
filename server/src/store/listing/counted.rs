//! Pages of whole repositories. Counts of orgs, then of repositories in the orgs of the page, skip what comes before a
//! page: the last of 10,000 pages costs as much as the first.

use super::{ListingFilter, Window, push_repo_name, record_columns};
use crate::store::{sql::Sql, text::containing};

pub(super) fn query(filter: &ListingFilter, window: Window) -> Sql {
    let count = if filter.full {
        "record_count"
    } else {
        "current_count"
    };
    let mut sql = Sql::new("with ");
    push_repositories(&mut sql, filter, window, count);
    sql.push(", shown as (select s.id, s.org_name, s.repo_name, s.records, s.start from repositories_from s where ");
    push_touches(&mut sql, "s", window);
    sql.push(")");
    if filter.full {
        push_all(&mut sql, window);
    } else {
        push_current(&mut sql, window);
    }
    sql
}

/// Adds `repositories_from`: repositories with their number of records and the number of records before them in the
/// listing.
fn push_repositories(sql: &mut Sql, filter: &ListingFilter, window: Window, count: &str) {
    if filter.repo_name.is_none() && filter.keyword.is_none() {
        // The orgs of a page are adjacent, so their repositories are a range of names. Without the range, PostgreSQL
        // would expect many and read all repositories.
        sql.push("orgs_from as (select o.org_name, o.")
            .push(count)
            .push(" as records, cast(sum(o.")
            .push(count)
            .push(") over (order by o.org_name) as bigint) - o.")
            .push(count)
            .push(" as start from orgs o where ");
        push_name(sql, "o.org_name", filter.org_name.as_ref());
        sql.push("), orgs_shown as (select f.org_name, f.start from orgs_from f where ");
        push_touches(sql, "f", window);
        sql.push(
            "), repositories_from as (
                 select p.id, p.org_name, p.repo_name, p.",
        )
        .push(count)
        .push(" as records, f.start + cast(sum(p.")
        .push(count)
        .push(") over (partition by p.org_name order by p.repo_name) as bigint) - p.")
        .push(count)
        .push(
            " as start from orgs_shown f cross join repositories p
                 where p.org_name = f.org_name
                   and p.org_name >= (select min(m.org_name) from orgs_shown m)
                   and p.org_name <= (select max(m.org_name) from orgs_shown m)",
        );
    } else {
        sql.push("repositories_from as (select p.id, p.org_name, p.repo_name, p.")
            .push(count)
            .push(" as records, cast(sum(p.")
            .push(count)
            .push(") over (order by p.org_name, p.repo_name) as bigint) - p.")
            .push(count)
            .push(" as start from repositories p where ");
        push_name(sql, "p.org_name", filter.org_name.as_ref());
        sql.push(" and ");
        push_repo_name(sql, filter);
        if let Some(keyword) = &filter.keyword {
            sql.push(" and lower(p.org_name || '/' || p.repo_name) like ")
                .push_bind(containing(keyword))
                .push(" escape '!'");
        }
    }
    sql.push(")");
}

fn push_name(sql: &mut Sql, column: &str, name: Option<&String>) {
    match name {
        Some(name) => sql.push(column).push(" = ").push_bind(name.clone()),
        None => sql.push("1 = 1"),
    };
}

/// Adds the condition that the page contains some of the records that `table` counts.
fn push_touches(sql: &mut Sql, table: &str, window: Window) {
    sql.push(table)
        .push(".start < ")
        .push_bind(window.end)
        .push(" and ")
        .push(table)
        .push(".start + ")
        .push(table)
        .push(".records > ")
        .push_bind(window.start);
}

/// A record's place is the number of its repository's records up to it.
fn push_all(sql: &mut Sql, window: Window) {
    sql.push(record_columns!())
        .push(
            "from shown p
             cross join records r
             join branches b on b.id = r.branch_id
             where r.repository_id = p.id and r.place <= p.start + p.records - ",
        )
        .push_bind(window.start)
        .push(" and r.place > p.start + p.records - ")
        .push_bind(window.end)
        .push(" order by p.org_name, p.repo_name, r.place desc");
}

/// Current records have no places of their own, so `offset` skips them among the repositories of the page.
fn push_current(sql: &mut Sql, window: Window) {
    sql.push(
        ", page as (
             select r.id, s.org_name, s.repo_name from shown s
             cross join records r
             where r.repository_id = s.id and r.superseded_at is null
             order by s.org_name, s.repo_name, r.place desc
             limit ",
    )
    .push_bind(window.end - window.start)
    .push(" offset ")
    .push_bind(window.start)
    .push(" - coalesce((select min(start) from shown), ")
    .push_bind(window.start)
    .push(")) ")
    .push(record_columns!())
    .push(
        "from page p
         cross join records r
         join branches b on b.id = r.branch_id
         where r.id = p.id
         order by p.org_name, p.repo_name, r.place desc",
    );
}
