-- The main branch of each repository with each language that it ever had. If no branch has a current record, the branch that pages show.
-- Transactions that change records update it.
create table main_series (
    repository_id bigint not null references repositories (id),
    language      text collate "C" not null,
    org_name      text collate "C" not null,
    repo_name     text collate "C" not null,
    branch_id     bigint not null references branches (id),
    -- The times of its first and of its last record, and of the end of the last one; null if it is current.
    first_at      bigint not null,
    last_at       bigint not null,
    ended_at      bigint,
    -- The day of its first record with a count of lines; null if there is none.
    counted_day   bigint,
    primary key (repository_id, language)
);

create index main_series_by_name on main_series (org_name, repo_name, language);

-- The changes of the counted lines of a row of `main_series` from the end of one day to the end of the next, in UTC: their sum until a
-- day is the count at its end. From the day on which the series ended, it is 0.
create table main_days (
    repository_id bigint not null references repositories (id),
    language      text collate "C" not null,
    day           bigint not null,
    org_name      text collate "C" not null,
    lines_covered bigint not null,
    lines_total   bigint not null,
    primary key (repository_id, language, day)
);

-- The sums of `main_days` over an org, without its groups, and their number. The trend of orgs reads them. Triggers keep them:
-- a transaction that changes `main_days` holds the row of the org.
create table org_days (
    org_name      text collate "C" not null,
    day           bigint not null,
    lines_covered bigint not null,
    lines_total   bigint not null,
    changes       bigint not null,
    primary key (org_name, day)
);

insert into main_series (repository_id, language, org_name, repo_name, branch_id, first_at, last_at, ended_at, counted_day)
with recursive chosen (repository_id, branch_id, org_name, repo_name) as (
    select p.id,
           coalesce(p.main_branch_id, (select k.id from (
               select n.id, n.record_count,
                      case n.name when p.configured_branch then 0
                                  when 'main' then 1 when 'master' then 2 when 'develop' then 3 when 'trunk' then 4
                                  else 5 end as place
               from (select m.id, m.name, m.record_count from branches m where m.repository_id = p.id) n) k
               order by k.place, k.record_count desc, k.id limit 1)),
           p.org_name, p.repo_name
    from repositories p
),
languages (repository_id, branch_id, org_name, repo_name, language) as (
    select c.repository_id, c.branch_id, c.org_name, c.repo_name,
           (select r.language from records r where r.branch_id = c.branch_id and r.unconfirmed_at is null
            order by r.language limit 1)
    from chosen c
    union all
    select l.repository_id, l.branch_id, l.org_name, l.repo_name,
           (select r.language from records r
            where r.branch_id = l.branch_id and r.language > l.language and r.unconfirmed_at is null
            order by r.language limit 1)
    from languages l where l.language is not null
)
select l.repository_id, l.language, l.org_name, l.repo_name, l.branch_id,
       (select h.updated_at from records h
        where h.branch_id = l.branch_id and h.language = l.language and h.unconfirmed_at is null
        order by h.updated_at limit 1),
       (select h.updated_at from records h
        where h.branch_id = l.branch_id and h.language = l.language and h.unconfirmed_at is null
        order by h.updated_at desc limit 1),
       (select h.superseded_at from records h
        where h.branch_id = l.branch_id and h.language = l.language and h.unconfirmed_at is null
        order by h.updated_at desc limit 1),
       (select h.updated_at / 86400000000 from records h
        where h.branch_id = l.branch_id and h.language = l.language and h.unconfirmed_at is null
          and h.lines_total > 0 and h.lines_total <= 1000000000000
        order by h.updated_at limit 1)
from languages l where l.language is not null;

insert into main_days (repository_id, language, day, org_name, lines_covered, lines_total)
select d.repository_id, d.language, d.day, d.org_name, d.lines_covered, d.lines_total
from (select k.repository_id, k.language, k.day, k.org_name,
             k.covered - coalesce(lag(k.covered) over (partition by k.repository_id, k.language order by k.day), 0) as lines_covered,
             k.total - coalesce(lag(k.total) over (partition by k.repository_id, k.language order by k.day), 0) as lines_total
      from (select s.repository_id, s.language, s.org_name, r.updated_at / 86400000000 as day,
                   case when r.lines_covered < r.lines_total then r.lines_covered else r.lines_total end as covered,
                   r.lines_total as total,
                   row_number() over (partition by s.repository_id, s.language, r.updated_at / 86400000000
                                      order by r.updated_at desc, r.id desc) as place
            from main_series s
            join records r on r.branch_id = s.branch_id and r.language = s.language and r.unconfirmed_at is null
                          and r.lines_total > 0 and r.lines_total <= 1000000000000
            where s.ended_at is null or r.updated_at / 86400000000 < s.ended_at / 86400000000
            union all
            select s.repository_id, s.language, s.org_name, s.ended_at / 86400000000, 0, 0, 1
            from main_series s where s.ended_at is not null) k
      where k.place = 1) d
where d.lines_covered <> 0 or d.lines_total <> 0;

insert into org_days (org_name, day, lines_covered, lines_total, changes)
select m.org_name, m.day, sum(m.lines_covered), sum(m.lines_total), count(*) from main_days m group by m.org_name, m.day;

-- An update gives a repository another name.
create function sum_org_days() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        update org_days set
            lines_covered = lines_covered - old.lines_covered, lines_total = lines_total - old.lines_total, changes = changes - 1
        where org_name = old.org_name and day = old.day;
        delete from org_days where org_name = old.org_name and day = old.day and changes = 0;
    end if;
    if tg_op <> 'DELETE' then
        insert into org_days (org_name, day, lines_covered, lines_total, changes)
        values (new.org_name, new.day, new.lines_covered, new.lines_total, 1)
        on conflict (org_name, day) do update set
            lines_covered = org_days.lines_covered + excluded.lines_covered,
            lines_total = org_days.lines_total + excluded.lines_total,
            changes = org_days.changes + 1;
    end if;
    return null;
end
$$;

create trigger org_days_of_main_days after insert or update or delete on main_days
for each row execute function sum_org_days();
