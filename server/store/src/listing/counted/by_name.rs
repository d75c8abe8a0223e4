//! Repositories by name: their exact name, or a part of `org/repo`.

use super::{super::record_columns, ScopedText, Statements};
use crate::sql::readable;

macro_rules! every {
    ($($which:tt)*) => {
        concat!(
            "with counted as (
                 select p.id, p.org_name, p.repo_name, p.record_count as records,
                        cast(sum(p.record_count) over (order by p.org_name, p.repo_name) as bigint) as up_to
                 from repositories p
                 where ", readable!("p"), " and ", $($which)*, "
             ),
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

macro_rules! current {
    ($($which:tt)*) => {
        concat!(
            "with counted as (
                 select p.id, p.org_name, p.repo_name, p.current_count as records,
                        cast(sum(p.current_count) over (order by p.org_name, p.repo_name) as bigint) as up_to
                 from repositories p
                 where ", readable!("p"), " and ", $($which)*, "
             ),
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

/// Ignores case; `$4` is the name in lower case. If an org has several matches, the exact name wins, then the oldest.
macro_rules! in_any_org {
    () => {
        "(p.repo_name = $3
          or (lower(p.repo_name) = $4
              and not exists (select 1 from repositories e where e.org_name = p.org_name and e.repo_name = $3)))"
    };
}

pub(super) const LIKE: Statements =
    statements!("lower(p.org_name || '/' || p.repo_name) like $3 escape '!'");

pub(super) const LIKE_IN_ORG: Statements =
    statements!("lower(p.org_name || '/' || p.repo_name) like $3 escape '!' and p.org_name = $4");

pub(super) const LIKE_IN_REPOSITORY: Statements = statements!(
    "lower(p.org_name || '/' || p.repo_name) like $3 escape '!' and p.org_name = $4 and p.repo_name = $5"
);

pub(super) const IN_ANY_ORG: Statements = statements!(in_any_org!());

pub(super) const LIKE_IN_ANY_ORG: Statements = statements!(
    in_any_org!(),
    " and lower(p.org_name || '/' || p.repo_name) like $5 escape '!'"
);
