//! All repositories of all orgs, or of one org. The orgs of a page are adjacent, so their repositories are a range of names.
//! Without the condition on this range, PostgreSQL would expect many rows and read all repositories.

use super::{super::record_columns, ScopedText, Statements};
use crate::sql::readable;

macro_rules! every {
    ($($which:tt)*) => {
        concat!(
            "with orgs_counted as (
                 select o.org_name, o.record_count as records,
                        cast(sum(o.record_count) over (order by o.org_name) as bigint) as up_to
                 from orgs o
                 where ", $($which)*, "
             ),
             orgs_shown as (
                 select o.org_name, o.up_to - o.records as start from orgs_counted o
                 where o.up_to > $1 and o.up_to - o.records < $2
             ),
             counted as (
                 select p.id, p.org_name, p.repo_name, p.record_count as records,
                        o.start + cast(sum(p.record_count) over (partition by p.org_name order by p.repo_name) as bigint)
                            as up_to
                 from orgs_shown o
                 cross join repositories p
                 where ", readable!("p"), " and p.org_name = o.org_name
                   and p.org_name >= (select min(m.org_name) from orgs_shown m)
                   and p.org_name <= (select max(m.org_name) from orgs_shown m)
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
            "with orgs_counted as (
                 select o.org_name, o.current_count as records,
                        cast(sum(o.current_count) over (order by o.org_name) as bigint) as up_to
                 from orgs o
                 where ", $($which)*, "
             ),
             orgs_shown as (
                 select o.org_name, o.up_to - o.records as start from orgs_counted o
                 where o.up_to > $1 and o.up_to - o.records < $2
             ),
             counted as (
                 select p.id, p.org_name, p.repo_name, p.current_count as records,
                        o.start + cast(sum(p.current_count) over (partition by p.org_name order by p.repo_name) as bigint)
                            as up_to
                 from orgs_shown o
                 cross join repositories p
                 where ", readable!("p"), " and p.org_name = o.org_name
                   and p.org_name >= (select min(m.org_name) from orgs_shown m)
                   and p.org_name <= (select max(m.org_name) from orgs_shown m)
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

pub(super) const ALL: Statements = statements!("1 = 1");
pub(super) const ONE: Statements = statements!("o.org_name = $3");
