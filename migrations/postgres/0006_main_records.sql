-- What the operator says is the main branch; null where it is guessed. It may have no record yet.
alter table repositories add column configured_branch text collate "C";
-- What the main branch is then: kept with every change of what it depends on. Null where nothing is current.
alter table repositories add column main_branch_id    bigint references branches (id);

-- A summary of the current records of main branches, which lists of repositories are made of: to filter and to sort them
-- takes a scan of this alone. It is kept in the transactions that change what it says.
create table main_records (
    repository_id           bigint not null references repositories (id),
    language                text collate "C" not null,
    org_name                text collate "C" not null,
    repo_name               text collate "C" not null,
    branch_id               bigint not null references branches (id),
    record_id               bigint not null references records (id),
    percentage_basis_points bigint not null,
    -- Of the record before it on its branch; null where there is none.
    percentage_before       bigint,
    lines_covered           bigint,
    lines_total             bigint,
    updated_at              bigint not null,
    primary key (repository_id, language)
);

create index main_records_by_name on main_records (org_name, repo_name, language);

-- With the percentage in it, what a branch had at a moment is read from the index alone.
drop index records_history;
create index records_history on records (branch_id, language, updated_at, percentage_basis_points);

update repositories as p set main_branch_id = (
    select m.id from branches m
    where m.repository_id = p.id
      and exists (select 1 from records c where c.branch_id = m.id and c.superseded_at is null)
    order by case m.name when 'main' then 0 when 'master' then 1 when 'develop' then 2 when 'trunk' then 3 else 4 end,
             m.record_count desc, m.id
    limit 1
);

insert into main_records (
    repository_id, language, org_name, repo_name, branch_id, record_id, percentage_basis_points, percentage_before,
    lines_covered, lines_total, updated_at
)
select p.id, r.language, p.org_name, p.repo_name, r.branch_id, r.id, r.percentage_basis_points,
       (select h.percentage_basis_points from records h
        where h.branch_id = r.branch_id and h.language = r.language and h.id <> r.id
        order by h.updated_at desc limit 1),
       r.lines_covered, r.lines_total, r.updated_at
from repositories p
join records r on r.branch_id = p.main_branch_id and r.superseded_at is null;
