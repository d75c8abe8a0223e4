-- The lines of the owners of each repository's main branch, for searches and metrics: as they were counted last, like the rows of
-- repository_owners.
create table owner_lines (
    name          text collate "C" not null, -- 'none' for the files without an owner
    repository_id bigint not null references repositories (id) on delete cascade,
    lines_covered bigint not null,
    lines_total   bigint not null,
    primary key (name, repository_id)
);

create index owner_lines_by_repository on owner_lines (repository_id);
