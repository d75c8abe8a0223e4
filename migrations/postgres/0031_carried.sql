-- Parts of records that were not measured again: their unchanged lines come from an earlier commit.
create table carried_parts (
    record_id      bigint not null references records (id) on delete cascade,
    part           text collate "C" not null,
    source_id      bigint not null, -- the record that measured it; it may have been deleted since
    source_commit  text collate "C" not null,
    measured_at    bigint not null,
    covered        bigint not null,
    coverable      bigint not null,
    lines          bytea, -- null if they have expired
    primary key (record_id, part)
);
