-- A repository whose main branch the operator has set, and the summary of all repositories.
insert into repositories (id, org_name, repo_name, created_at, configured_branch) values
    (4, 'acme', 'tools', {now} - 6 * {day}, 'release');

insert into branches (id, repository_id, name, record_count) values
    (6, 4, 'main',    1),
    (7, 4, 'release', 1);

insert into records (
    id, repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points, lines_covered, lines_total,
    report_format, created_at, updated_at, superseded_at
) values
    (9,  4, 7, 'go', 'g1', 'Ada', 8500, 85, 100, 'lcov', {now} - 6 * {day}, {now} - 6 * {day}, null),
    (10, 4, 6, 'go', 'g2', 'Ada', 9900, 99, 100, 'lcov', {now} - 5 * {day}, {now} - 5 * {day}, null);

update repositories set main_branch_id = 1 where id = 1;
update repositories set main_branch_id = 3 where id = 2;
update repositories set main_branch_id = 7 where id = 4;

insert into main_records (
    repository_id, language, org_name, repo_name, branch_id, record_id, percentage_basis_points, percentage_before,
    lines_covered, lines_total, updated_at
) values
    (1, 'go',         'acme',          'payments', 1, 7, 6000, null, null, null, {now} - 3 * {day}),
    (1, 'rust',       'acme',          'payments', 1, 6, 8000, 7500, 800,  1000, {now} - 3 * {day}),
    (2, 'typescript', 'acme/platform', 'Web',      3, 1, 9000, null, 90,   100,  {now} - 60 * {day}),
    (4, 'go',         'acme',          'tools',    7, 9, 8500, null, 85,   100,  {now} - 6 * {day});
