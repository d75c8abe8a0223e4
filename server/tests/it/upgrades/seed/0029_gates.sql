-- A gate that the operator has set, and the settings of a record.
insert into gates (org_key, repo_key, rules, set_at) values
    ('acme', 'payments', '{"all":{"floor":95}}', {now} - 9 * {day});

insert into record_settings (record_id, settings) values
    (6, '{"rules":{"all":{"changed":50}}}');
