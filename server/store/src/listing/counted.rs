//! Pages of whole repositories. Counts of orgs, then of repositories in the orgs of the page, skip the records before a page: the
//! last of 10,000 pages costs as much as the first.

/// Lists every record of the repositories in `counted`, which the statements before define.
macro_rules! every_record {
    ($counted:expr) => {
        concat!(
            "with ",
            $counted,
            ",
             shown as (
                 select c.id, c.org_name, c.repo_name, c.up_to from counted c
                 where c.up_to > $1 and c.up_to - c.records < $2
             ) ",
            record_columns!(),
            "from shown p
             cross join records r
             join branches b on b.id = r.branch_id
             where r.repository_id = p.id and r.place <= p.up_to - $1 and r.place > p.up_to - $2
             order by p.org_name, p.repo_name, r.place desc"
        )
    };
}

/// Lists the current records of the repositories in `counted`.
macro_rules! current_records {
    ($counted:expr) => {
        concat!(
            "with ",
            $counted,
            ",
             shown as (
                 select c.id, c.org_name, c.repo_name, c.up_to - c.records as start from counted c
                 where c.up_to > $1 and c.up_to - c.records < $2
             ),
             page as (
                 select r.id, s.org_name, s.repo_name from shown s
                 cross join records r
                 where r.repository_id = s.id and r.superseded_at is null
                 order by s.org_name, s.repo_name, r.place desc
                 limit $2 - $1 offset $1 - coalesce((select min(s.start) from shown s), $1)
             ) ",
            record_columns!(),
            "from page p
             cross join records r
             join branches b on b.id = r.branch_id
             where r.id = p.id
             order by p.org_name, p.repo_name, r.place desc"
        )
    };
}

/// The statements for repositories of this module's macro `counted`, with the column that has the number of their records.
macro_rules! statements {
    ($($which:tt)*) => {
        Statements {
            every: ScopedText::new(every_record!(counted!("record_count", $($which)*))),
            current: ScopedText::new(current_records!(counted!("current_count", $($which)*))),
        }
    };
}

mod by_name;
mod by_org;

use super::{ListingFilter, Window};
use crate::{
    sql::{ScopedSql, ScopedText},
    text::containing,
};

/// Queries for the same repositories. `$1` is the number of records before the page, `$2` the number up to its end.
///
/// In all queries, `up_to` is the number of records up to the last record of an org or a repository, in the order of the listing.
struct Statements {
    /// Lists every record. The place of a record is the number of records of its repository up to it.
    every: ScopedText,
    /// Lists current records only. They have no places of their own, so `offset` skips them among the repositories of the page.
    current: ScopedText,
}

/// `is_everything` states whether the reader sees all repositories.
pub(super) fn query(filter: &ListingFilter, window: Window, is_everything: bool) -> ScopedSql {
    let (statements, names) = statements(filter, is_everything);
    let text = if filter.full {
        statements.every
    } else {
        statements.current
    };
    let mut sql = text.with([window.start, window.end]);
    for name in names {
        sql.place(name);
    }
    sql
}

/// Returns the queries for a filter, with their values from `$3` on. Only readers who see everything may use the counts of whole
/// orgs.
fn statements(filter: &ListingFilter, is_everything: bool) -> (Statements, Vec<String>) {
    let any = (!is_everything).then_some("");
    let pattern = filter.keyword.as_deref().or(any).map(containing);
    match (filter.org_name.clone(), filter.repo_name.clone(), pattern) {
        (None, None, None) => (by_org::ALL, vec![]),
        (Some(org), None, None) => (by_org::ONE, vec![org]),
        (None, None, Some(pattern)) => (by_name::LIKE, vec![pattern]),
        (Some(org), None, Some(pattern)) => (by_name::LIKE_IN_ORG, vec![pattern, org]),
        (Some(org), Some(repo), pattern) => {
            let pattern = pattern.unwrap_or_else(|| containing(""));
            (by_name::LIKE_IN_REPOSITORY, vec![pattern, org, repo])
        }
        (None, Some(repo), None) => {
            let key = repo.to_ascii_lowercase();
            (by_name::IN_ANY_ORG, vec![repo, key])
        }
        (None, Some(repo), Some(pattern)) => {
            let key = repo.to_ascii_lowercase();
            (by_name::LIKE_IN_ANY_ORG, vec![repo, key, pattern])
        }
    }
}
