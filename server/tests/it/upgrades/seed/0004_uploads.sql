-- The attempts to upload: an accepted one and a refused one.
insert into uploads (
    id, received_at, milliseconds, request_id, org_name, repo_name, branch_name, commit_hash, language, token_name, status, code,
    detail, record_id, report_format, files, bytes
) values
    (1, {now} - 3 * {day}, 12, 'r1', 'acme', 'payments', 'main', 'c3', 'rust', 'ci', 201, 'created',
        'Record 6 has 80.00 %.', 6, 'cobertura', 2, 4096),
    (2, {now} - 2 * {day}, 3, 'r2', 'acme', 'payments', 'main', 'c9', 'rust', null, 401, 'invalid_token',
        'The token is not known.', null, null, null, 0);
