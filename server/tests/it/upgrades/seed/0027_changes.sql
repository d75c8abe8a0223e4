-- The pull request of a record, and its changes in the first version of their encoding: lines 1 and 2 of src/fee.c are new.
insert into record_changes (record_id, pull_request, target_branch, base_commit, base_tree, tree_hash, changes) values
    (8, '17', 'main', 'c3', null, null, {bytes 435643019d78323028b52ffd2012910000010000097372632f6665652e630100000002});
