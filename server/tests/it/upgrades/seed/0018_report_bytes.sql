-- The size of a report.
update records set report_bytes = {size of the report} where id = 6;
