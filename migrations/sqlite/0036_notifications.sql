-- Records whose uploads no notification was looked for yet: written with them, so that a restart loses none.
create table unnotified_records (
    record_id integer primary key references records (id) on delete cascade,
    noted_at  integer not null
) strict;
create index unnotified_records_in_order on unnotified_records (noted_at, record_id);

-- What happened, in the words that receivers get.
create table notifications (
    id         integer primary key autoincrement,
    -- Receivers recognise repetitions by it. Random, so that a restored backup does not give it again.
    public_id  text    not null,
    subject    text    not null unique, -- what happened to what: nothing is told twice
    body       text    not null, -- JSON
    created_at integer not null
) strict;

-- What each receiver still has to get, or has got.
create table notification_deliveries (
    notification_id integer not null references notifications (id) on delete cascade,
    webhook         text    not null, -- a digest of its kind and address
    attempts        integer not null default 0,
    due_at          integer, -- null if it has been delivered or was given up
    leased_until    integer not null default 0, -- until when an instance is sending it
    delivered_at    integer,
    primary key (notification_id, webhook)
) strict;
create index notification_deliveries_due on notification_deliveries (webhook, due_at) where due_at is not null;

-- Repositories that have been silent for some days.
create index repositories_by_last_upload on repositories (last_upload_at);
