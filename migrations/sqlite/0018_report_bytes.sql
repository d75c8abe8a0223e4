-- Bytes of the stored report. Null where there is none, and of reports from before this was noted, which count as nothing.
alter table records add column report_bytes integer;

-- What the reports of a repository take together. The key is in it so that the sum reads nothing else.
create index records_report_bytes on records (repository_id, report_key, report_bytes) where report_key is not null;
