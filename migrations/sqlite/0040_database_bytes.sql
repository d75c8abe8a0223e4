-- The bytes of the lines, lists of files and changes of a record, which count in quotas.
alter table records add column database_bytes integer not null default 0;
update records set database_bytes =
    coalesce((select length(l.lines) from record_lines l where l.record_id = records.id), 0)
    + coalesce((select sum(length(q.lines)) from record_parts q where q.record_id = records.id), 0)
    + coalesce((select sum(length(k.lines)) from carried_parts k where k.record_id = records.id), 0)
    + coalesce((select length(d.files) from record_details d where d.record_id = records.id), 0)
    + coalesce((select length(c.changes) from record_changes c where c.record_id = records.id), 0);
-- The sum of a quota.
create index records_database_bytes on records (repository_id, database_bytes) where database_bytes > 0;
