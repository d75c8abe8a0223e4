-- What a forge did not say about the change of a record.
insert into record_changes (record_id, pull_request, target_branch, unknown_files, unknown_reason) values
    (7, '16', 'main', 2, 'The forge stated no changes of 2 files.');
