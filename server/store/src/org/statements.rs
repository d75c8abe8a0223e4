//! The statements that read main branches and their values.

use crate::{
    metric::percentage,
    sql::{ScopedText, readable},
};
use domain::StatedMetric;

/// The condition on rows `s` of `$1` and of its subgroups, which sort between `$2` and `$3`, as one range of an index.
macro_rules! of_org {
    () => {
        of_org!("s")
    };
    ($readable:literal) => {
        concat!(
            "s.org_name >= $1 and s.org_name < $3 and (s.org_name = $1 or s.org_name > $2) and ",
            readable!($readable)
        )
    };
}

/// The first `$4` main branches by name, with each language that they ever had.
macro_rules! series {
    () => {
        concat!(
            "with recursive series (branch_id, language) as (
                select s.branch_id, s.language from main_series s
                where ",
            of_org!(),
            "   order by s.org_name, s.repo_name, s.language limit $4
            )"
        )
    };
}

/// With the values of the current record. If it has no count of lines, also the last count before, as the sum of its changes.
/// Without the repositories of which [`KEPT`] has the sums for a period from the day `$5`; before all days, with all
/// repositories.
pub(crate) const SERIES: ScopedText = ScopedText::new(concat!(
    "select k.org_name, k.repo_name, k.branch_id, b.name as branch_name, k.language, k.first_at, k.last_at, k.ended_at,
            k.counted_day, c.percentage_basis_points, c.lines_covered, c.lines_total,
            case when k.counted_day is not null and (c.lines_total between 1 and 1000000000000) is not true then
                (select cast(sum(m.lines_covered) as bigint) from main_days m
                 where m.repository_id = k.repository_id and m.language = k.language)
            end as earlier_covered,
            case when k.counted_day is not null and (c.lines_total between 1 and 1000000000000) is not true then
                (select cast(sum(m.lines_total) as bigint) from main_days m
                 where m.repository_id = k.repository_id and m.language = k.language)
            end as earlier_total
     from main_repositories s
     cross join main_series k
     join branches b on b.id = k.branch_id
     left join main_records c on c.repository_id = k.repository_id and c.language = k.language
     where k.repository_id = s.repository_id and (s.counted_since > $5 or s.counted_since is null)
       and (s.active_since is not null or s.last_day > $5) and ",
    of_org!("k"),
    " order by k.org_name, k.repo_name, k.language limit $4"
));

/// When the repositories of an org begin, by the first day of a current language.
pub(crate) const STARTS: ScopedText = ScopedText::new(concat!(
    "select s.active_since, count(*) as repositories, min(s.first_day) as first_day, max(s.last_day) as last_day,
            cast(sum(s.languages) as bigint) as languages
     from main_repositories s where ",
    of_org!(),
    " group by s.active_since"
));

/// The sums over each org without its groups: of all repositories, and of the repositories whose languages all have counts from
/// the day `$4` until now, with the number of the latter that have at least the percentage `$5`, and without an upload since the
/// day `$6`.
pub(crate) const KEPT: ScopedText = ScopedText::new(concat!(
    "select s.org_name, cast(sum(s.lines_covered) as bigint) as all_covered, cast(sum(s.lines_total) as bigint) as all_total,
            count(case when s.counted_since <= $4 then 1 end) as repositories,
            cast(sum(case when s.counted_since <= $4 then s.lines_covered else 0 end) as bigint) as lines_covered,
            cast(sum(case when s.counted_since <= $4 then s.lines_total else 0 end) as bigint) as lines_total,
            count(case when s.counted_since <= $4 and s.percentage_basis_points >= $5 then 1 end) as on_target,
            count(case when s.counted_since <= $4 and s.last_day <= $6 then 1 end) as stale
     from main_repositories s where ",
    of_org!(),
    " group by s.org_name"
));

/// The times of the main branches, as four numbers each; -1 if there is none.
pub(crate) const SPANS: ScopedText = ScopedText::new(concat!(
    "select string_agg(n.numbers, ' ')
     from (
         select s.repository_id || ' ' || s.first_at || ' ' || coalesce(s.ended_at, -1) || ' ' || coalesce(s.counted_day, -1)
                    as numbers
         from main_series s
         where ",
    of_org!(),
    "    order by s.org_name, s.repo_name, s.language limit $4
     ) n"
));

/// The changes of the counted lines until each point of a period after the day `$4` until `$5`, whose points are `$6` days apart,
/// and after the period: of all orgs together, or with 1 as `$7` of each org. With 1 as `$8`, without the languages that have no
/// count on `$4`, or that ended before `$9`, the end of `$5`; their counts on `$4` are changes of that day. `all_covered` and
/// `all_total` include them.
pub(crate) const CHANGES: ScopedText = ScopedText::new(concat!(
    "select n.org_name, n.day, cast(sum(n.lines_covered) as bigint) as lines_covered,
            cast(sum(n.lines_total) as bigint) as lines_total, cast(sum(n.is_of_all * n.lines_covered) as bigint) as all_covered,
            cast(sum(n.is_of_all * n.lines_total) as bigint) as all_total
     from (
         select case when $7 = 1 then s.org_name else '' end as org_name,
                case when s.day > $5 then $5 + 1 else $5 - ($5 - s.day) / $6 * $6 end as day,
                s.lines_covered, s.lines_total, 1 as is_of_all
         from org_days s
         where s.day > $4 and ",
    of_org!(),
    "    union all
         select case when $7 = 1 then s.org_name else '' end,
                case when m.day <= $4 then $4 else $5 - ($5 - m.day) / $6 * $6 end, -m.lines_covered, -m.lines_total, 0
         from main_repositories s
         cross join main_series k
         cross join main_days m
         where $8 = 1 and (s.counted_since > $4 or s.counted_since is null) and k.repository_id = s.repository_id
           and (k.counted_day > $4 or k.ended_at < $9)
           and m.repository_id = k.repository_id and m.language = k.language and m.day <= $5 and ",
    of_org!(),
    ") n
     group by n.org_name, n.day order by n.day"
));

/// The repositories of an org and of its groups, also without records.
pub(crate) const REPOSITORIES: ScopedText = ScopedText::new(concat!(
    "select p.org_name, p.repo_name from repositories p
     where (p.org_name = $1 or (p.org_name > $2 and p.org_name < $3)) and ",
    readable!("p"),
    " order by p.org_name, p.repo_name limit $4"
));

/// The last record of each interval. The query goes back from a record to the last record before its interval: the cost grows
/// with the number of intervals that have records, not with the number of records. `$5` is the end of the first day; the last
/// record before it is also read. `$6` is the end of the last day, `$7` the length of an interval. A record without a count
/// is returned together with the last earlier record that has a count, which is used for weighting. SQLite runs a cross
/// join in the written order; otherwise it would read all records and look up each among the few.
macro_rules! steps {
    ($percentage:expr, $covered:literal, $total:literal) => {
        ScopedText::new(concat!(
            series!(),
            ", walk (branch_id, language, at) as (
                select s.branch_id, s.language,
                       (select h.updated_at from records h
                        where h.branch_id = s.branch_id and h.language = s.language and h.updated_at < $6
                          and h.unconfirmed_at is null
                        order by h.updated_at desc limit 1)
                from series s
                union all
                select w.branch_id, w.language,
                       (select h.updated_at from records h
                        where h.branch_id = w.branch_id and h.language = w.language and h.unconfirmed_at is null
                          and h.updated_at < case when $6 - (($6 - 1 - w.at) / $7 + 1) * $7 > $5
                                                  then $6 - (($6 - 1 - w.at) / $7 + 1) * $7 else $5 end
                        order by h.updated_at desc limit 1)
                from walk w where w.at >= $5
            ),
            kept (branch_id, language, at) as (
                select w.branch_id, w.language, w.at from walk w
                union
                select w.branch_id, w.language,
                       (select h.updated_at from records h
                        where h.branch_id = w.branch_id and h.language = w.language and h.updated_at <= w.at
                          and h.",
            $total,
            " > 0 and h.",
            $total,
            " <= 1000000000000 and h.unconfirmed_at is null
                        order by h.updated_at desc limit 1)
                from walk w
            )
            select k.branch_id, k.language, k.at, ",
            $percentage,
            " as percentage_basis_points, r.",
            $covered,
            " as lines_covered, r.",
            $total,
            " as lines_total
            from kept k
            cross join records r where r.branch_id = k.branch_id and r.language = k.language and r.updated_at = k.at
               and r.unconfirmed_at is null"
        ))
    };
}

const STEPS: ScopedText = steps!("r.percentage_basis_points", "lines_covered", "lines_total");

const STEPS_OF_BRANCHES: ScopedText = steps!(
    percentage!("r.branches_covered", "r.branches_total"),
    "branches_covered",
    "branches_total"
);

const STEPS_OF_FUNCTIONS: ScopedText = steps!(
    percentage!("r.functions_covered", "r.functions_total"),
    "functions_covered",
    "functions_total"
);

/// The values of a metric.
pub(crate) const fn steps(metric: StatedMetric) -> ScopedText {
    match metric {
        StatedMetric::Lines => STEPS,
        StatedMetric::Branches => STEPS_OF_BRANCHES,
        StatedMetric::Functions => STEPS_OF_FUNCTIONS,
    }
}

/// The new code of the repositories of `$1` and of its subgroups, which sort between `$2` and `$3`: only of repositories whose
/// languages were all counted on the day `$4` or later.
pub(crate) const NEW_CODE: ScopedText = ScopedText::new(concat!(
    "select count(*) as repositories, cast(coalesce(sum(g.is_counted), 0) as bigint) as counted,
            cast(sum(case when g.is_counted = 1 then g.new_covered end) as bigint) as new_covered,
            cast(sum(case when g.is_counted = 1 then g.new_total end) as bigint) as new_total,
            cast(sum(case when g.is_counted = 1 then g.new_unknown end) as bigint) as new_unknown,
            min(case when g.is_counted = 1 then g.new_day end) as new_day
     from (
         select min(case when s.new_total is not null and s.new_day >= $4 then 1 else 0 end) as is_counted,
                sum(s.new_covered) as new_covered, sum(s.new_total) as new_total, sum(s.new_unknown) as new_unknown,
                min(s.new_day) as new_day
         from main_records s
         where ",
    of_org!(),
    "    group by s.org_name, s.repo_name
     ) g"
));
