-- A row for each repository in `main_series`, so that the page of orgs reads one index in the order of its orgs. Transactions that change
-- records update it.
create table main_repositories (
    repository_id           integer primary key references repositories (id),
    org_name                text not null,
    -- The days of its first record, of its last record or end, and of the first record of a language that is current.
    first_day               integer not null,
    last_day                integer not null,
    active_since            integer,
    -- The day since which all its languages have a count of lines; null if one ended, or is without a count now.
    counted_since           integer,
    languages               integer not null,
    -- The last count of its current languages.
    lines_covered           integer not null,
    lines_total             integer not null,
    percentage_basis_points integer
) strict;

insert into main_repositories (repository_id, org_name, first_day, last_day, active_since, counted_since, languages, lines_covered,
                               lines_total, percentage_basis_points)
select n.repository_id, n.org_name, n.first_day, n.last_day, n.active_since,
       case when n.counted = n.languages and n.lines_total <= 1000000000000 then n.counted_since end,
       n.languages, n.lines_covered, n.lines_total,
       case when n.lines_total <= 0 or n.lines_total > 1000000000000 then null
            when n.lines_covered >= n.lines_total then 10000
            when n.lines_covered <= 0 then 0
            when 20000 * n.lines_covered < n.lines_total then 1
            when 20000 * (n.lines_total - n.lines_covered) <= n.lines_total then 9999
            else (20000 * n.lines_covered + n.lines_total) / (2 * n.lines_total) end
from (
    select k.repository_id, k.org_name, min(k.first_at) / 86400000000 as first_day,
           max(case when k.ended_at > k.last_at then k.ended_at else k.last_at end) / 86400000000 as last_day,
           min(case when k.ended_at is null then k.first_at end) / 86400000000 as active_since,
           max(k.counted_day) as counted_since, count(*) as languages, sum(k.is_counted) as counted,
           cast(sum(case when k.is_counted = 1 and k.lines_covered < k.lines_total then k.lines_covered
                         when k.is_counted = 1 then k.lines_total
                         else (select coalesce(sum(m.lines_covered), 0) from main_days m
                               where m.repository_id = k.repository_id and m.language = k.language) end) as bigint) as lines_covered,
           cast(sum(case when k.is_counted = 1 then k.lines_total
                         else (select coalesce(sum(m.lines_total), 0) from main_days m
                               where m.repository_id = k.repository_id and m.language = k.language) end) as bigint) as lines_total
    from (
        select s.repository_id, s.org_name, s.language, s.first_at, s.last_at, s.ended_at, s.counted_day,
               c.lines_covered, c.lines_total,
               case when s.ended_at is null and c.lines_total between 1 and 1000000000000 then 1 else 0 end as is_counted
        from main_series s
        left join main_records c on c.repository_id = s.repository_id and c.language = s.language
    ) k
    group by k.repository_id, k.org_name) n;

create index main_repositories_by_name on main_repositories
    (org_name, active_since, first_day, last_day, counted_since, languages, lines_covered, lines_total, percentage_basis_points);
