//! A row for each repository with the times and the counted lines of its main branch, in all languages together: the page of orgs
//! reads no other row of most repositories. Every transaction that changes `main_series` updates them before it ends.

use crate::{StoreError, run::Run};
use sqlx::AnyConnection;

/// The rows of some rows `s` of `main_series`. Without a current count, the last count is the sum of its changes. The migration
/// that created the table had the same query.
macro_rules! main_repositories {
    ($condition:literal) => {
        concat!(
            "select n.repository_id, n.org_name, n.first_day, n.last_day, n.active_since,
                    case when n.counted = n.languages and n.lines_total <= 1000000000000 then n.counted_since end as counted_since,
                    n.languages, n.lines_covered, n.lines_total, ",
            $crate::metric::percentage!("n.lines_covered", "n.lines_total"),
            " as percentage_basis_points
             from (
                 select k.repository_id, k.org_name, min(k.first_at) / 86400000000 as first_day,
                        max(case when k.ended_at > k.last_at then k.ended_at else k.last_at end) / 86400000000 as last_day,
                        min(case when k.ended_at is null then k.first_at end) / 86400000000 as active_since,
                        max(k.counted_day) as counted_since, count(*) as languages, sum(k.is_counted) as counted,
                        cast(sum(case when k.is_counted = 1 and k.lines_covered < k.lines_total then k.lines_covered
                                      when k.is_counted = 1 then k.lines_total
                                      else (select coalesce(sum(m.lines_covered), 0) from main_days m
                                            where m.repository_id = k.repository_id and m.language = k.language) end) as bigint)
                            as lines_covered,
                        cast(sum(case when k.is_counted = 1 then k.lines_total
                                      else (select coalesce(sum(m.lines_total), 0) from main_days m
                                            where m.repository_id = k.repository_id and m.language = k.language) end) as bigint)
                            as lines_total
                 from (
                     select s.repository_id, s.org_name, s.language, s.first_at, s.last_at, s.ended_at, s.counted_day,
                            c.lines_covered, c.lines_total,
                            case when s.ended_at is null and c.lines_total between 1 and 1000000000000 then 1 else 0 end
                                as is_counted
                     from main_series s
                     left join main_records c on c.repository_id = s.repository_id and c.language = s.language
                     where ", $condition,
            "    ) k
                 group by k.repository_id, k.org_name) n"
        )
    };
}

/// The columns of [`main_repositories!`], in its order.
macro_rules! columns {
    () => {
        "repository_id, org_name, first_day, last_day, active_since, counted_since, languages, lines_covered, lines_total,
         percentage_basis_points"
    };
}

pub(crate) use {columns, main_repositories};

/// Computes the row of a repository again, from its other rows.
pub(crate) async fn renew(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    const FILL: &str = concat!(
        "insert into main_repositories (",
        columns!(),
        ") ",
        main_repositories!("s.repository_id = $1")
    );
    clear(connection, repository_id).await?;
    connection.run(FILL, [repository_id]).await
}

pub(crate) async fn clear(
    connection: &mut AnyConnection,
    repository_id: i64,
) -> Result<(), StoreError> {
    const CLEAR: &str = "delete from main_repositories where repository_id = $1";
    connection.run(CLEAR, [repository_id]).await
}
