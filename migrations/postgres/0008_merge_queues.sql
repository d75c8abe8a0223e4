-- Records of commits that a merge queue tests for the branch of the record, which perhaps never contains them. They have
-- `unconfirmed_at` too.
create table provisional_records (
    record_id     bigint primary key references records (id) on delete cascade,
    repository_id bigint not null references repositories (id)
);

create index provisional_records_by_repository on provisional_records (repository_id, record_id);

-- When the forge was last asked which of them their branches contain.
alter table repositories add column queue_asked_at bigint;
