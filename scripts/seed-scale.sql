-- Fills an empty PostgreSQL database for scripts/bench-scale.sh: :records records of :repositories repositories in :orgs orgs, four
-- fifths on `main` and one fifth on a second branch, as uploads of two years would write them.
\set ON_ERROR_STOP on
set synchronous_commit = off;
set maintenance_work_mem = '1GB';
set max_parallel_maintenance_workers = 1;

select :records / :repositories as each \gset
select cast(extract(epoch from now()) as bigint) * 1000000 as now \gset
select 63072000000000 / :each as step \gset

insert into repositories (id, org_name, repo_name, created_at, record_count, current_count, last_upload_at)
select r, 'org-' || r % :orgs, 'repo-' || r, :now - 63072000000000, :each, 2, :now - :step + r
from generate_series(1, :repositories) r;

insert into orgs (org_name, record_count, current_count)
select org_name, sum(record_count), sum(current_count) from repositories group by org_name;

insert into branches (id, repository_id, name, record_count)
select 2 * r - 1, r, 'main', :each - :each / 5 from generate_series(1, :repositories) r
union all
select 2 * r, r, 'feature/checkout', :each / 5 from generate_series(1, :repositories) r;

-- An index that grows row by row takes many times as long as an index that is built at the end.
create temporary table later as
    select indexdef from pg_indexes
    where tablename = 'records'
      and indexname not in (select conname from pg_constraint where conrelid = 'records'::regclass);
do $$
declare name text;
begin
    for name in select indexname from pg_indexes i where tablename = 'records'
        and indexname not in (select conname from pg_constraint where conrelid = 'records'::regclass)
    loop execute format('drop index %I', name); end loop;
end $$;

-- The record k of the repository r. Every fifth is on the second branch. Each is superseded by the next record of its branch.
insert into records (
    id, repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points, lines_covered, lines_total,
    report_format, created_at, updated_at, superseded_at, place
)
select k * :repositories + r, r, case when k % 5 = 4 then 2 * r else 2 * r - 1 end, 'rust', md5(k || '-' || r), 'author-' || (k * 31 + r) % 2000,
       (r * 97 + k * 13) % 10001, (r * 97 + k * 13) % 10001, 10000, 'cobertura',
       :now - (:each - k) * :step + r, :now - (:each - k) * :step + r,
       case when n.next < :each then :now - (:each - n.next) * :step + r end, k + 1
from generate_series(0, :each - 1) k
cross join generate_series(1, :repositories) r
cross join lateral (select case when k % 5 = 4 then k + 5 when k % 5 = 3 then k + 2 else k + 1 end as next) n;

update repositories set main_branch_id = 2 * id - 1;

do $$
declare definition text;
begin
    for definition in select indexdef from later loop execute definition; end loop;
end $$;
analyze;

insert into main_records (
    repository_id, language, org_name, repo_name, branch_id, record_id, percentage_basis_points, percentage_before, lines_covered,
    lines_total, updated_at
)
select p.id, r.language, p.org_name, p.repo_name, r.branch_id, r.id, r.percentage_basis_points,
       (select h.percentage_basis_points from records h
        where h.branch_id = r.branch_id and h.language = r.language and h.id <> r.id
        order by h.updated_at desc limit 1),
       r.lines_covered, r.lines_total, r.updated_at
from repositories p
join records r on r.branch_id = p.main_branch_id and r.superseded_at is null;

select setval(pg_get_serial_sequence('repositories', 'id'), :repositories);
select setval(pg_get_serial_sequence('branches', 'id'), 2 * :repositories);
select setval(pg_get_serial_sequence('records', 'id'), :records);
analyze;
