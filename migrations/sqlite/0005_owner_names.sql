-- The lines of the owners of each repository's main branch, for searches and metrics: as they were counted last, like the rows of
-- repository_owners.
create table owner_lines (
    name          text    not null, -- 'none' for the files without an owner
    repository_id integer not null references repositories (id) on delete cascade,
    lines_covered integer not null,
    lines_total   integer not null,
    primary key (name, repository_id)
) strict;

create index owner_lines_by_repository on owner_lines (repository_id);
