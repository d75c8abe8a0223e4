-- Lines of a record that had both states in two uploads of one of its parts: a sign that they flicker.
create table record_reruns (
    record_id  integer not null references records (id) on delete cascade,
    arrived_at integer not null, -- when the later of the two uploads arrived
    files      blob    not null -- server/src/store/flicker.rs says how
) strict;

create index record_reruns_of_record on record_reruns (record_id, arrived_at);
