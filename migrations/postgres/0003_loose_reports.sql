-- Stored reports that no record points to: on their way to one, or to be removed. What a crash leaves stands here, so the
-- next start has nothing to search, and never removes a report that it was not told of.
create table loose_reports (
    key       text collate "C" primary key,
    since     bigint not null,
    -- Null while an upload may still make it its record's. Once it is set the report is only to be removed.
    doomed_at bigint
);
