-- Everything that retention and the page of the storage read of a report: they go through this index alone. The key is in it
-- so that SQLite finds in it that there is a report. The old index goes last: on PostgreSQL, others can read until then.
create index records_of_reports on records
    (branch_id, language, updated_at, report_bytes, pinned_at, unconfirmed_at, repository_id, report_key)
    where report_key is not null;

-- The few reports that are pinned.
create index records_pinned on records (pinned_at) where pinned_at is not null;

drop index records_with_report;
