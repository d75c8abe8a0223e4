-- Counts the changes of what a record's lines, changes and parts say, so that what was derived from them is known to be current.
alter table records add column revision integer not null default 0;

-- What follows from the lines of a record and of its base: changed lines, lost lines, and why the percentage changed.
create table record_analyses (
    record_id     integer primary key references records (id) on delete cascade,
    -- What it was derived from. The base is null if there was none.
    revision      integer not null,
    base_id       integer,
    base_revision integer,
    -- For lists: the changed lines that ran, and all coverable ones. Null if they are not known.
    changed_covered   integer,
    changed_coverable integer,
    -- What the gate said when the record was last uploaded or completed: passed, failed or incomplete. Null without a gate.
    verdict       text,
    analysis      blob    not null -- server/src/store/analysis/stored.rs says how
) strict;

-- The lines of the newest record of a main branch that are known to flicker.
create table flickering_lines (
    repository_id integer not null references repositories (id) on delete cascade,
    language      text    not null,
    record_id     integer not null references records (id) on delete cascade, -- the newest record that was searched
    records       integer not null, -- how many were searched
    files         blob    not null, -- server/src/store/flicker.rs says how
    primary key (repository_id, language)
) strict;

create index record_changes_by_pull_request on record_changes (pull_request) where pull_request is not null;
