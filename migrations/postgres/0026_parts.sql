-- The parts of records that have named or several parts, or a part without lines. A record without rows here has one unnamed
-- part with lines: itself.
create table record_parts (
    record_id               bigint not null references records (id) on delete cascade,
    part                    text collate "C" not null, -- empty for the unnamed part
    arrived_at              bigint not null,
    -- Why the part will not come. Null if it was measured; all that follows is null if it was not.
    skip_reason             text collate "C",
    -- What its own coverage file states.
    percentage_basis_points bigint,
    lines_covered           bigint,
    lines_total             bigint,
    branches_covered        bigint,
    branches_total          bigint,
    functions_covered       bigint,
    functions_total         bigint,
    report_format           text collate "C",
    tool                    text collate "C",
    warnings                text collate "C", -- a JSON list
    paths_matched           bigint,
    paths_of                bigint,
    paths_unmatched         text collate "C", -- a JSON list
    -- The folder that was removed from its paths, and whether the coverage file states it.
    root                    text collate "C",
    is_root_stated          bigint,
    -- Its lines. The counts are null if its coverage file has none. The lines are null if it has none, if they have expired, or
    -- if it is the only measured part: then they are those of the record.
    covered                 bigint,
    coverable               bigint,
    lines                   bytea,
    -- Its HTML report. The record's own columns have that of the newest part.
    report_key              text collate "C" unique,
    report_start_page       text collate "C",
    report_bytes            bigint,
    primary key (record_id, part)
);

-- Which parts a record waits for.
create table record_completions (
    record_id   bigint primary key references records (id) on delete cascade,
    expected    text collate "C" not null, -- a JSON list of parts
    -- Since when no further part is waited for, although one may be missing.
    closed_at   bigint,
    -- Until when parts are waited for; null if none is missing.
    waits_until bigint,
    -- Set if the last upload had no right to change what the main branch shows.
    withheld_at bigint
);

create index record_completions_waiting on record_completions (waits_until) where waits_until is not null;

-- Parts that were skipped before another part of their commit arrived: there is no record yet.
create table early_skips (
    repository_key text collate "C" not null, -- org/repo in lower case
    branch_name    text collate "C" not null,
    language       text collate "C" not null,
    commit_hash    text collate "C" not null,
    part           text collate "C" not null,
    reason         text collate "C" not null,
    expected       text collate "C" not null, -- a JSON list of parts
    skipped_at     bigint not null,
    primary key (repository_key, branch_name, language, commit_hash, part)
);

create index early_skips_skipped on early_skips (skipped_at);

-- Whether the coverage file states the folder that was removed from its paths. Null for records from before this column.
alter table record_details add column is_root_stated bigint;
