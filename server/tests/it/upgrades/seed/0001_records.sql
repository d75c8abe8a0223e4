-- Three repositories: one with two branches and two languages, one whose main branch is `master`, one whose branch is retired.
-- {now} is the time of the test and {day} a day, both in microseconds.
insert into repositories (id, org_name, repo_name, created_at) values
    (1, 'acme',          'payments', {now} - 20 * {day}),
    (2, 'acme/platform', 'Web',      {now} - 60 * {day}),
    (3, 'zoo',           'legacy',   {now} - 22 * {day});

insert into branches (id, repository_id, name, record_count) values
    (1, 1, 'main',      4),
    (2, 1, 'feature/x', 1),
    (3, 2, 'master',    1),
    (4, 2, 'dev',       1),
    (5, 3, 'main',      1);

insert into records (
    id, repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points, lines_covered, lines_total,
    branches_covered, branches_total, functions_covered, functions_total, report_format, report_key, report_start_page,
    created_at, updated_at, superseded_at
) values
    (1, 2, 3, 'typescript', 'e1', 'Zoë', 9000, 90,  100,  null, null, null, null, 'lcov',      null, null,
        {now} - 60 * {day}, {now} - 60 * {day}, null),
    (2, 2, 4, 'typescript', 'e2', 'Zoë', 5000, 50,  100,  null, null, null, null, 'lcov',      null, null,
        {now} - 25 * {day}, {now} - 25 * {day}, null),
    (3, 3, 5, 'rust',       'f1', 'Kim', 4000, 40,  100,  null, null, null, null, 'cobertura', null, null,
        {now} - 22 * {day}, {now} - 22 * {day}, {now} - 21 * {day}),
    (4, 1, 1, 'rust',       'c1', 'Kim', 7000, 700, 1000, null, null, null, null, 'cobertura', null, null,
        {now} - 20 * {day}, {now} - 20 * {day}, {now} - 10 * {day}),
    (5, 1, 1, 'rust',       'c2', 'Kim', 7500, 750, 1000, null, null, null, null, 'cobertura', null, null,
        {now} - 10 * {day}, {now} - 10 * {day}, {now} - 4 * {day}),
    -- A retry of its commit replaced its numbers a day later.
    (6, 1, 1, 'rust',       'c3', 'Ada', 8000, 800, 1000, 30,   40,   5,    6,    'cobertura', 'ab5eed', 'index.html',
        {now} - 4 * {day},  {now} - 3 * {day},  null),
    (7, 1, 1, 'go',         'c3', 'Ada', 6000, null, null, null, null, null, null, 'goprofile', null, null,
        {now} - 3 * {day},  {now} - 3 * {day},  null),
    (8, 1, 2, 'rust',       'd1', 'Kim', 6500, 650, 1000, null, null, null, null, 'cobertura', null, null,
        {now} - 2 * {day},  {now} - 2 * {day},  null);
