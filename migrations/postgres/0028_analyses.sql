-- Counts the changes of what a record's lines, changes and parts say, so that what was derived from them is known to be current.
alter table records add column revision bigint not null default 0;

-- What follows from the lines of a record and of its base: changed lines, lost lines, and why the percentage changed.
create table record_analyses (
    record_id     bigint primary key references records (id) on delete cascade,
    -- What it was derived from. The base is null if there was none.
    revision      bigint not null,
    base_id       bigint,
    base_revision bigint,
    -- For lists: the changed lines that ran, and all coverable ones. Null if they are not known.
    changed_covered   bigint,
    changed_coverable bigint,
    -- What the gate said when the record was last uploaded or completed: passed, failed or incomplete. Null without a gate.
    verdict       text collate "C",
    analysis      bytea   not null -- server/src/store/analysis/stored.rs says how
);

-- The lines of the newest record of a main branch that are known to flicker.
create table flickering_lines (
    repository_id bigint not null references repositories (id) on delete cascade,
    language      text collate "C" not null,
    record_id     bigint not null references records (id) on delete cascade, -- the newest record that was searched
    records       bigint not null, -- how many were searched
    files         bytea   not null, -- server/src/store/flicker.rs says how
    primary key (repository_id, language)
);

create index record_changes_by_pull_request on record_changes (pull_request) where pull_request is not null;
