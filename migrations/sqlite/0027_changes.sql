-- What uploads say about the change that a commit makes. Other records have no row.
create table record_changes (
    record_id     integer primary key references records (id) on delete cascade,
    pull_request  text,
    target_branch text,
    base_commit   text, -- what the changes start from
    base_tree     text, -- the tree of that commit
    tree_hash     text, -- the tree that was measured
    changes       blob  -- server/lines/src/changes/encoding.rs says how
);

create index record_changes_by_tree on record_changes (tree_hash) where tree_hash is not null;
