-- The state of every line of a record. Records from before this table have no row, nor do reports without lines.
create table record_lines (
    record_id bigint primary key references records (id) on delete cascade,
    covered   bigint not null, -- lines that ran
    coverable bigint not null,
    -- When to decide next whether the lines are still kept.
    review_at bigint not null,
    lines     bytea  not null -- server/lines/src/encoding.rs says how
);

create index record_lines_to_review on record_lines (review_at);
