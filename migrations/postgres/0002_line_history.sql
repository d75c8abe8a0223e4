-- The base of each record whose lines have a history. Rows of deleted records stay: the chains of later records go through them.
create table record_chain (
    record_id bigint primary key,
    base_id   bigint -- null at the start of a chain
);

create index record_chain_by_base on record_chain (base_id) where base_id is not null;

-- When the lines of records of main branches came, and when they last ran. It belongs to the lines, and goes with them.
create table record_histories (
    record_id bigint primary key references record_lines (record_id) on delete cascade,
    revision  bigint not null, -- the revision of the record that it is from
    history   bytea  not null, -- server/lines/src/history/encoding.rs
    counts    bytea  not null  -- server/lines/src/history/counts.rs
);

-- Records whose base arrives after them.
create index record_changes_by_base on record_changes (base_commit) where base_commit is not null;
create index record_changes_by_base_tree on record_changes (base_tree) where base_tree is not null;

-- The CODEOWNERS files of the last records of each branch and language.
create table record_owners (
    record_id bigint primary key references records (id) on delete cascade,
    owners    bytea not null -- zstd
);

-- The owners of a repository's main branch, with their counts in the default period.
create table repository_owners (
    repository_id bigint primary key references repositories (id) on delete cascade,
    state         text collate "C" not null, -- the day and the records that were counted
    owners        bytea not null -- server/store/src/views/owners.rs
);

-- The files that a record ignores. The rules are those of its first upload.
alter table record_details add column ignore_rules text collate "C"; -- null without rules, else a list of patterns as JSON
alter table record_details add column ignored text collate "C";      -- app/domain/src/record/ignored.rs
alter table record_parts add column ignored text collate "C";

-- The branches of a part, if its coverage file names all of them: server/lines/src/named_branches/encoding.rs. They are stored where
-- the lines of the part are.
alter table record_lines add column branches bytea;
alter table record_parts add column branches bytea;
