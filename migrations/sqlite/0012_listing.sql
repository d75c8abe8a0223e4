-- Where a record stands among those of its repository: 1 is the oldest. The pages of the listing are found by it, however
-- much stands before them.
alter table records add column place integer not null default 0;

-- How many records a repository has, and how many of them are current; the moment of its last upload, which the next one
-- comes after.
alter table repositories add column record_count   integer not null default 0;
alter table repositories add column current_count  integer not null default 0;
alter table repositories add column last_upload_at integer not null default 0;

-- The same for all repositories of an organisation: what a page passes over is counted by these first.
create table orgs (
    org_name      text    primary key,
    record_count  integer not null,
    current_count integer not null
) strict;

update records set place = n.place
from (select r.id, row_number() over (partition by r.repository_id order by r.created_at, r.id) as place from records r) n
where n.id = records.id;

update repositories set record_count = n.record_count, current_count = n.current_count, last_upload_at = n.last_upload_at
from (
    select r.repository_id, count(*) as record_count,
           sum(case when r.superseded_at is null then 1 else 0 end) as current_count,
           max(r.updated_at) as last_upload_at
    from records r group by r.repository_id
) n
where n.repository_id = repositories.id;

insert into orgs (org_name, record_count, current_count)
select p.org_name, sum(p.record_count), sum(p.current_count) from repositories p group by p.org_name;

drop index records_by_repository;
create index records_by_place on records (repository_id, place);
-- The same for those that a filter picks out.
create index records_of_branch_by_place on records (branch_id, place);
create index records_of_language_by_place on records (language, repository_id, place);
create index records_of_author_by_place on records (commit_author, repository_id, place);
