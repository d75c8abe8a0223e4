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

-- A token that may upload everywhere.
insert into tokens (id, name, hash, created_at) values (1, 'ci', '{hash of ci}', {now} - 60 * {day});

-- The attempts to upload: an accepted one and a refused one.
insert into uploads (
    id, received_at, milliseconds, request_id, org_name, repo_name, branch_name, commit_hash, language, token_name, status, code,
    detail, record_id, report_format, files, bytes
) values
    (1, {now} - 3 * {day}, 12, 'r1', 'acme', 'payments', 'main', 'c3', 'rust', 'ci', 201, 'created',
        'Record 6 has 80.00 %.', 6, 'cobertura', 2, 4096),
    (2, {now} - 2 * {day}, 3, 'r2', 'acme', 'payments', 'main', 'c9', 'rust', null, 401, 'invalid_token',
        'The token is not known.', null, null, null, 0);

-- A token for one org, a token that was revoked, a repository of a forge, and a key for signatures.
insert into tokens (id, name, hash, created_at, purpose, org_name, repo_name, hint, expires_at, last_used_at, revoked_at) values
    (2, 'acme', '{hash of acme}', {now} - 30 * {day}, 'upload', 'acme', null, 'a1b2', null, {now} - 3 * {day}, null),
    (3, 'left', '{hash of left}', {now} - 30 * {day}, 'upload', null,   null, 'c3d4', null, null, {now} - 9 * {day});

update repositories set forge = 'gitlab.example.com' where id = 2;

insert into signing_keys (name, key) values ('report-links', '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff');

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

-- What the coverage file of a record states besides its totals. The files are those of the first version of their encoding:
-- src/fee.c with 500 of 600 lines, and src/tax.c with 300 of 400.
insert into record_details (record_id, tool, counters, warnings, files_counter, files_root, file_count, files) values
    (6, 'gcovr 7.2', '[["line", 800, 1000], ["branch", 30, 40]]', '["Two files have the same path."]', 'line', 'src/', 2,
        {bytes 0163604d4b4dd54b66bcc192c2c05a925801644e604e0100});

-- The places of records, and the counts of repositories and orgs.
update records set place = case id when 5 then 2 when 6 then 3 when 7 then 4 when 8 then 5 when 2 then 2 when 10 then 2 else 1 end;

update repositories set record_count = 5, current_count = 3, last_upload_at = {now} - 2 * {day}  where id = 1;
update repositories set record_count = 2, current_count = 2, last_upload_at = {now} - 25 * {day} where id = 2;
update repositories set record_count = 1, current_count = 0, last_upload_at = {now} - 22 * {day} where id = 3;
update repositories set record_count = 2, current_count = 2, last_upload_at = {now} - 5 * {day}  where id = 4;

insert into orgs (org_name, record_count, current_count) values
    ('acme',          7, 5),
    ('acme/platform', 2, 2),
    ('zoo',           1, 0);

-- A pinned report, and one that retention has removed.
update records set pinned_at = {now} - 1 * {day} where id = 6;
update records set report_removed_at = {now} - 2 * {day} where id = 5;

-- A record of an upload without the right to change what the main branch shows.
insert into records (
    id, repository_id, branch_id, language, commit_hash, commit_author, percentage_basis_points, lines_covered, lines_total,
    report_format, created_at, updated_at, superseded_at, unconfirmed_at, place
) values
    (11, 1, 1, 'rust', 'c4', 'Eve', 10000, 1000, 1000, 'cobertura', {now} - 1 * {day}, {now} - 1 * {day}, {now} - 1 * {day},
        {now} - 1 * {day}, 6);

update repositories set record_count = 6, last_upload_at = {now} - 1 * {day} where id = 1;
update orgs set record_count = 8 where org_name = 'acme';

-- The numbers with which its forge knows a repository and its owner.
update repositories set forge_repository_id = '77', forge_owner_id = '7' where id = 2;

-- A token for administration, and a row of the audit log.
insert into tokens (id, name, hash, created_at, purpose, org_name, repo_name, hint, expires_at, last_used_at, revoked_at) values
    (4, 'root', '{hash of root}', {now} - 9 * {day}, 'admin', null, null, 'e5f6', null, null, null);

insert into audit (id, at, actor_kind, actor, source, action, org_name, repo_name, subject, old_value, new_value) values
    (1, {now} - 9 * {day}, 'command', 'kim', 'machine', 'token_created', null, null, 'root', null, null);

-- The size of a report.
update records set report_bytes = {size of the report} where id = 6;

-- A replaced report whose grace period is over, with whose it was.
insert into orphaned_reports (key, since, marked_at, released_at, record_id, repository_id, bytes) values
    ('cd1eff', {now} - 30 * {day}, {now} - 30 * {day}, {now} - 30 * {day}, 6, 1, 4);

-- What the summary was a week ago.
update main_records set percentage_week_ago = 7500, week_ago_from = {now} - 10 * {day}, week_ago_until = {now} - 3 * {day}
where record_id = 6;
update main_records set week_ago_until = {now} - 3 * {day} where record_id = 7;
update main_records set percentage_week_ago = 9000, week_ago_from = {now} - 60 * {day}, week_ago_until = {now} - 60 * {day}
where record_id = 1;
update main_records set week_ago_until = {now} - 6 * {day} where record_id = 9;

-- The lines of a record, in the first version of their encoding: of src/fee.c, line 1 ran twice, 2 did not run, and one of the two
-- branches of 4 was taken.
insert into record_lines (record_id, covered, coverable, review_at, lines) values
    (6, 2, 3, {now} + 30 * {day}, {bytes 43564c015d95767d28b52ffd2014a100000100097372632f6665652e630487020102010101});

-- How many paths of a coverage file are files of the repository.
update record_details set paths_matched = 1, paths_of = 2, paths_unmatched = '["src/tax.c"]' where record_id = 6;

-- A record with a measured part and a skipped one, and a part that was skipped before its commit had a record.
insert into record_parts (
    record_id, part, arrived_at, skip_reason, percentage_basis_points, lines_covered, lines_total, report_format, tool, warnings,
    root, is_root_stated
) values
    (8, 'unit', {now} - 2 * {day}, null,          6500, 650,  1000, 'cobertura', 'gcovr 7.2', '[]', '', 0),
    (8, 'web',  {now} - 2 * {day}, 'no changes',  null, null, null, null,        null,        null, null, null);

insert into record_completions (record_id, expected, closed_at, waits_until, unconfirmed_at) values
    (8, '["unit", "web"]', null, null, null);

insert into early_skips (repository_key, branch_name, language, commit_hash, part, reason, expected, skipped_at) values
    ('acme/payments', 'feature/x', 'rust', 'd2', 'web', 'no changes', '["unit", "web"]', {now});

-- The pull request of a record, and its changes in the first version of their encoding: lines 1 and 2 of src/fee.c are new.
insert into record_changes (record_id, pull_request, target_branch, base_commit, base_tree, tree_hash, changes) values
    (8, '17', 'main', 'c3', null, null, {bytes 435643019d78323028b52ffd2012910000010000097372632f6665652e630100000002});

-- A gate that the operator has set, and the settings of a record.
insert into gates (org_key, repo_key, rules, set_at) values
    ('acme', 'payments', '{"all":{"floor":95}}', {now} - 9 * {day});

insert into record_settings (record_id, settings) values
    (6, '{"rules":{"all":{"changed":50}}}');

-- What a forge did not say about the change of a record.
insert into record_changes (record_id, pull_request, target_branch, unknown_files, unknown_reason) values
    (7, '16', 'main', 2, 'The forge stated no changes of 2 files.');

-- A part that was not measured again: it has the lines of an earlier commit.
insert into carried_parts (record_id, part, source_id, source_commit, measured_at, covered, coverable, lines) values
    (8, 'slow', 6, 'c3', {now} - 3 * {day}, 2, 3, {bytes 43564c015d95767d28b52ffd2014a100000100097372632f6665652e630487020102010101});

-- The comment of a pull request.
insert into pull_request_comments (
    repository_id, forge, pull_request, sequence, leased_until, attempted_at, comment_id, author
) values
    (1, 'https://forge.example.com/api', '17', 3, 0, {now} - 2 * {day}, '501', 'coverage-bot');

-- The merge that the job of a pull request has measured.
update record_changes set measured_commit = 'd1-merged' where record_id = 8;

-- The page of a CI run.
update uploads set run_url = 'https://ci.example.com/runs/9' where id = 1;
