-- The name in lower case, by which repositories are found whatever the case in which they are named. Where several differ
-- by case only, the oldest has it and the others have null: they keep their records, and are found by their exact names.
alter table repositories add column name_key text collate "C";

update repositories set name_key = n.name_key
from (
    select p.id, lower(p.org_name || '/' || p.repo_name) as name_key,
           row_number() over (partition by lower(p.org_name || '/' || p.repo_name) order by p.created_at, p.id) as place
    from repositories p
) n
where n.id = repositories.id and n.place = 1;

create unique index repositories_by_key on repositories (name_key);

-- Clients may have written a name in any case.
drop index uploads_by_repository;
create index uploads_by_repository on uploads (lower(org_name), lower(repo_name), id);
