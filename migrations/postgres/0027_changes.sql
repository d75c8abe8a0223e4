-- What uploads say about the change that a commit makes. Other records have no row.
create table record_changes (
    record_id     bigint primary key references records (id) on delete cascade,
    pull_request  text collate "C",
    target_branch text collate "C",
    base_commit   text collate "C", -- what the changes start from
    base_tree     text collate "C", -- the tree of that commit
    tree_hash     text collate "C", -- the tree that was measured
    changes       bytea             -- server/lines/src/changes/encoding.rs says how
);

create index record_changes_by_tree on record_changes (tree_hash) where tree_hash is not null;
