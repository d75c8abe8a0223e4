-- What the report of a record says beside its totals: who wrote it, all that it counts, what was odd about it, and its files.
-- Records from before this table have no row. A retry of the same commit replaces it.
create table record_details (
    record_id     bigint primary key references records (id) on delete cascade,
    tool          text collate "C",          -- name and version, in the report's words
    counters      text collate "C" not null, -- JSON: [["line", covered, total], …]
    warnings      text collate "C" not null, -- JSON: sentences
    -- What is counted in the place of lines, file by file: `line` nearly always.
    files_counter text collate "C" not null,
    -- What all paths began with, which is left out of `files`; mostly empty.
    files_root    text collate "C" not null,
    file_count    bigint not null,
    -- server/src/store/record_details/encoding.rs says how. Null where the report lists none, or more than are kept.
    files         bytea
);

-- The ledger's row of a record.
create index uploads_of_records on uploads (record_id) where record_id is not null;
