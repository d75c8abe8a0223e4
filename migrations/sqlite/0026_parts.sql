-- The parts of records that have named or several parts, or a part without lines. A record without rows here has one unnamed
-- part with lines: itself.
create table record_parts (
    record_id               integer not null references records (id) on delete cascade,
    part                    text    not null, -- empty for the unnamed part
    arrived_at              integer not null,
    -- Why the part will not come. Null if it was measured; all that follows is null if it was not.
    skip_reason             text,
    -- What its own coverage file states.
    percentage_basis_points integer,
    lines_covered           integer,
    lines_total             integer,
    branches_covered        integer,
    branches_total          integer,
    functions_covered       integer,
    functions_total         integer,
    report_format           text,
    tool                    text,
    warnings                text, -- a JSON list
    paths_matched           integer,
    paths_of                integer,
    paths_unmatched         text, -- a JSON list
    -- The folder that was removed from its paths, and whether the coverage file states it.
    root                    text,
    is_root_stated          integer,
    -- Its lines. The counts are null if its coverage file has none. The lines are null if it has none, if they have expired, or
    -- if it is the only measured part: then they are those of the record.
    covered                 integer,
    coverable               integer,
    lines                   blob,
    -- Its HTML report. The record's own columns have that of the newest part.
    report_key              text unique,
    report_start_page       text,
    report_bytes            integer,
    primary key (record_id, part)
) strict;

-- Which parts a record waits for.
create table record_completions (
    record_id   integer primary key references records (id) on delete cascade,
    expected    text    not null, -- a JSON list of parts
    -- Since when no further part is waited for, although one may be missing.
    closed_at   integer,
    -- Until when parts are waited for; null if none is missing.
    waits_until integer,
    -- Set if the last upload had no right to change what the main branch shows.
    withheld_at integer
) strict;

create index record_completions_waiting on record_completions (waits_until) where waits_until is not null;

-- Parts that were skipped before another part of their commit arrived: there is no record yet.
create table early_skips (
    repository_key text    not null, -- org/repo in lower case
    branch_name    text    not null,
    language       text    not null,
    commit_hash    text    not null,
    part           text    not null,
    reason         text    not null,
    expected       text    not null, -- a JSON list of parts
    skipped_at     integer not null,
    primary key (repository_key, branch_name, language, commit_hash, part)
) strict;

create index early_skips_skipped on early_skips (skipped_at);

-- Whether the coverage file states the folder that was removed from its paths. Null for records from before this column.
alter table record_details add column is_root_stated integer;
