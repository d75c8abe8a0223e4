-- Parts of records that were not measured again: their unchanged lines come from an earlier commit.
create table carried_parts (
    record_id      integer not null references records (id) on delete cascade,
    part           text    not null,
    source_id      integer not null, -- the record that measured it; it may have been deleted since
    source_commit  text    not null,
    measured_at    integer not null,
    covered        integer not null,
    coverable      integer not null,
    lines          blob, -- null if they have expired
    primary key (record_id, part)
) strict;
