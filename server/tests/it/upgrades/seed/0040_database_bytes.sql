-- What the service stores with the lines, lists of files and changes of a record.
update records set database_bytes =
    coalesce((select length(l.lines) from record_lines l where l.record_id = records.id), 0)
    + coalesce((select sum(length(q.lines)) from record_parts q where q.record_id = records.id), 0)
    + coalesce((select sum(length(k.lines)) from carried_parts k where k.record_id = records.id), 0)
    + coalesce((select length(d.files) from record_details d where d.record_id = records.id), 0)
    + coalesce((select length(c.changes) from record_changes c where c.record_id = records.id), 0);
