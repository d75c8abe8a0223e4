//! Which branch of a repository is its main one.

/// A subquery for the id of the main branch of the repository `p.id`: of the branches that have a current record, the
/// one called `main`, `master`, `develop` or `trunk`, else the one with the most records.
macro_rules! main_branch_id {
    () => {
        "(select m.id from branches m
          where m.repository_id = p.id
            and exists (select 1 from records c where c.branch_id = m.id and c.superseded_at is null)
          order by case m.name when 'main' then 0 when 'master' then 1 when 'develop' then 2 when 'trunk' then 3 else 4 end,
                   m.record_count desc, m.id
          limit 1)"
    };
}

pub(super) use main_branch_id;
