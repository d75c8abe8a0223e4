-- Records are found by the start of their commit, the newest of a commit first.
create index records_by_commit on records (commit_hash, id desc);
