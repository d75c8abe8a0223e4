//! All repositories of all orgs, or of one org. The orgs of a page are adjacent, so their repositories are a range of names.
//! Without the condition on this range, PostgreSQL would expect many rows and read all repositories.

use super::{super::record_columns, ScopedText, Statements};
use crate::sql::readable;

macro_rules! counted {
    ($count:literal, $($which:tt)*) => {
        concat!(
            "orgs_counted as (
                 select o.org_name, o.", $count, " as records,
                        cast(sum(o.", $count, ") over (order by o.org_name) as bigint) as up_to
                 from orgs o
                 where ", $($which)*, "
             ),
             orgs_shown as (
                 select o.org_name, o.up_to - o.records as start from orgs_counted o
                 where o.up_to > $1 and o.up_to - o.records < $2
             ),
             counted as (
                 select p.id, p.org_name, p.repo_name, p.", $count, " as records,
                        o.start + cast(sum(p.", $count, ") over (partition by p.org_name order by p.repo_name) as bigint)
                            as up_to
                 from orgs_shown o
                 cross join repositories p
                 where ", readable!("p"), " and p.org_name = o.org_name
                   and p.org_name >= (select min(m.org_name) from orgs_shown m)
                   and p.org_name <= (select max(m.org_name) from orgs_shown m)
             )"
        )
    };
}

pub(super) const ALL: Statements = statements!("1 = 1");
pub(super) const ONE: Statements = statements!("o.org_name = $3");
