-- Lines of a record that had both states in two uploads of one of its parts: a sign that they flicker.
create table record_reruns (
    record_id  bigint not null references records (id) on delete cascade,
    arrived_at bigint not null, -- when the later of the two uploads arrived
    files      bytea  not null -- server/src/store/flicker.rs says how
);

create index record_reruns_of_record on record_reruns (record_id, arrived_at);
