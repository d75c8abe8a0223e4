//! Repositories by name: their exact name, or a part of `org/repo`.

use super::{super::record_columns, ScopedText, Statements};
use crate::sql::readable;

macro_rules! counted {
    ($count:literal, $($which:tt)*) => {
        concat!(
            "counted as (
                 select p.id, p.org_name, p.repo_name, p.", $count, " as records,
                        cast(sum(p.", $count, ") over (order by p.org_name, p.repo_name) as bigint) as up_to
                 from repositories p
                 where ", readable!("p"), " and ", $($which)*, "
             )"
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
