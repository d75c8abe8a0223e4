-- The merge that the job of a pull request has measured.
update record_changes set measured_commit = 'd1-merged' where record_id = 8;
