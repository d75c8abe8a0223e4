-- The state of every line of a record. Records from before this table have no row, nor do reports without lines.
create table record_lines (
    record_id integer primary key references records (id) on delete cascade,
    covered   integer not null, -- lines that ran
    coverable integer not null,
    -- When to decide next whether the lines are still kept.
    review_at integer not null,
    lines     blob    not null -- server/lines/src/encoding.rs says how
) strict;

create index record_lines_to_review on record_lines (review_at);
