-- A record with a measured part and a skipped one, and a part that was skipped before its commit had a record.
insert into record_parts (
    record_id, part, arrived_at, skip_reason, percentage_basis_points, lines_covered, lines_total, report_format, tool, warnings,
    root, is_root_stated
) values
    (8, 'unit', {now} - 2 * {day}, null,          6500, 650,  1000, 'cobertura', 'gcovr 7.2', '[]', '', 0),
    (8, 'web',  {now} - 2 * {day}, 'no changes',  null, null, null, null,        null,        null, null, null);

insert into record_completions (record_id, expected, closed_at, waits_until, withheld_at) values
    (8, '["unit", "web"]', null, null, null);

insert into early_skips (repository_key, branch_name, language, commit_hash, part, reason, expected, skipped_at) values
    ('acme/payments', 'feature/x', 'rust', 'd2', 'web', 'no changes', '["unit", "web"]', {now});
