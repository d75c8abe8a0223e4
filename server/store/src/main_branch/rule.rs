//! The rule that finds the main branch, as SQL. Every query that needs the rule uses this module.

/// A subquery for the `id` or `name` of the main branch among `branches`, a query for the `id`, `name` and `record_count` of
/// branches of the repository `p`. The configured branch comes first, then `main`, `master`, `develop` or `trunk`, then the
/// branch with the most records.
///
/// An inner query ranks the branches, since SQLite cannot use columns of `p` in `order by`.
macro_rules! first_branch {
    ($column:literal, $($branches:tt)+) => {
        concat!(
            "(select k.", $column, " from (
                  select n.id, n.name, n.record_count,
                         case n.name when p.configured_branch then 0
                                     when 'main' then 1 when 'master' then 2 when 'develop' then 3 when 'trunk' then 4
                                     else 5 end as place
                  from (", $($branches)+, ") n
              ) k
              order by k.place, k.record_count desc, k.id
              limit 1)"
        )
    };
}

/// The rule for the branches that have a current record, as a subquery for the id of the main branch of the repository `p`.
///
/// The result is stored in `repositories.main_branch_id`, which all other queries read.
macro_rules! main_branch_id {
    ($($among:literal)?) => {
        $crate::main_branch::first_branch!(
            "id",
            "select m.id, m.name, m.record_count from branches m
             where m.repository_id = p.id ", $($among,)? "
               and exists (select 1 from records c where c.branch_id = m.id and c.superseded_at is null)"
        )
    };
}

/// The id of the branch that pages of the repository `p` show: the main branch. If no branch has a current record, the first of
/// all branches by the same rule.
macro_rules! shown_branch_id {
    () => {
        concat!(
            "coalesce(p.main_branch_id, ",
            $crate::main_branch::first_branch!(
                "id",
                "select m.id, m.name, m.record_count from branches m where m.repository_id = p.id"
            ),
            ")"
        )
    };
}

pub(crate) use {first_branch, main_branch_id, shown_branch_id};
