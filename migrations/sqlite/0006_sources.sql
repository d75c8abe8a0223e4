-- The texts of source files. Each text is stored once in its repository; if repositories are merged, perhaps twice.
create table source_texts (
    id            integer primary key autoincrement, -- lists of files name it, so no id is used twice
    repository_id integer not null references repositories (id) on delete cascade,
    digest        blob    not null, -- SHA-256 of the text
    bytes         integer not null, -- of `text`
    text          blob    not null -- zstd
) strict;

-- It has the columns of quotas.
create index source_texts_by_digest on source_texts (repository_id, digest, bytes);

-- The source files of each part of a record: server/store/src/sources/list.rs. They belong to the lines of the record, and go with them.
create table record_sources (
    record_id     integer not null references record_lines (record_id) on delete cascade,
    part          text    not null, -- empty for the unnamed part
    repository_id integer not null references repositories (id),
    version       integer not null, -- greater than the versions of all earlier lists of the repository
    paths         blob    not null,
    texts         blob    not null, -- the ids of their texts
    primary key (record_id, part)
) strict;

create unique index record_sources_by_version on record_sources (repository_id, version);

-- Repositories with texts that perhaps no record names any more: a row for each list of files that was removed.
create table source_sweeps (
    id            integer primary key autoincrement,
    repository_id integer not null references repositories (id) on delete cascade
) strict;

create index source_sweeps_by_repository on source_sweeps (repository_id, id);

create trigger record_sources_removed after delete on record_sources
begin
    insert into source_sweeps (repository_id) values (old.repository_id);
end;
